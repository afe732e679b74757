import { type Command, Option } from 'commander';

type Finished = (code: number) => void;

/** Declares what writes new things; what it does is loaded when it is chosen. */
export function declareKitCommands(heddle: Command, finished: Finished): void {
  heddle
    .command('new')
    .description('write a new application that can be started at once')
    .argument('<folder>', 'where; its last part is the name of the application')
    .action(async (folder) => finished(await require('./new-application').newApplication(folder)));

  const appOption = () => new Option('--app <dir>', "the application's folder (default: this folder)");
  const plugin = heddle.command('plugin').description('write and test plugins').helpCommand(false);
  plugin
    .command('new')
    .description('write a plugin with its tests')
    .argument('<name>', 'such as reading-time')
    .addOption(appOption())
    .action(async (name, options) => finished(await require('./plugin-new').newPlugin(name, options)));
  plugin
    .command('test')
    .description('run the tests of plugins, against the application and scratch data')
    .argument('[name]', 'one plugin (default: all that have tests)')
    .addOption(appOption())
    .action(async (name, options) => finished(await require('./plugin-test').testPlugins(name, options)));
}
