import type { Command } from 'commander';

type Finished = (code: number) => void;

/** Declares what writes new things; what it does is loaded when it is chosen. */
export function declareKitCommands(heddle: Command, finished: Finished): void {
  heddle
    .command('new')
    .description('write a new application that can be started at once')
    .argument('<folder>', 'where; its last part is the name of the application')
    .action(async (folder) => finished(await require('./new-application').newApplication(folder)));
}
