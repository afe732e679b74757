import { type Command, InvalidArgumentError, Option } from 'commander';

type Finished = (code: number) => void;

/** Well formed, whether or not anyone speaks it. */
function localeCode(text: string): string {
  if (!/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(text))
    throw new InvalidArgumentError('A locale has a code such as en or pt-BR.');
  return text;
}

/** Declares `heddle locale …`; what it does is loaded when it is chosen. */
export function declareLocaleCommands(
  heddle: Command,
  finished: Finished,
  folderOptions: () => readonly Option[],
): void {
  const locale = heddle
    .command('locale')
    .description('list, add or remove locales, or choose the default one')
    .helpCommand(false);
  const command = (name: string, description: string): Command => {
    const declared = locale.command(name).description(description);
    for (const option of folderOptions()) declared.addOption(option);
    return declared;
  };
  const load = (): typeof import('./locale') => require('./locale');

  command('list', 'list the locales').action(async (options) => finished(await load().listLocales(options)));
  command('add', 'add a locale')
    .argument('<code>', 'such as en or pt-BR', localeCode)
    .addOption(new Option('--name <name>', 'what people call it (default: its English name)'))
    .action(async (code, options) => finished(await load().addLocale(code, options)));
  command('remove', 'remove a locale that no content is in')
    .argument('<code>')
    .action(async (code, options) => finished(await load().removeLocale(code, options)));
  command('default', 'make a locale that of requests which name none')
    .argument('<code>')
    .action(async (code, options) => finished(await load().chooseDefault(code, options)));
}
