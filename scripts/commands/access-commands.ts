import { type Command, InvalidArgumentError, Option } from 'commander';

type Finished = (code: number) => void;

const collected = (value: string, before: string[] = []): string[] => [...before, value];

function days(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('A number of days is whole, such as 90.');
  return Number(text);
}

/** Declares what is about who may do what; what it does is loaded when it is chosen. */
export function declareAccessCommands(
  heddle: Command,
  finished: Finished,
  folderOptions: () => readonly Option[],
): void {
  const group = (name: string, description: string) => {
    const parent = heddle.command(name).description(description).helpCommand(false);
    return (command: string, about: string): Command => {
      const declared = parent.command(command).description(about);
      for (const option of folderOptions()) declared.addOption(option);
      return declared;
    };
  };

  const access = group('access', 'compare an application with its config/access');
  access('diff', 'show what the next start would change')
    .option('--check', 'fail if there is a difference')
    .action(async (options) => finished(await require('./access').diffAccess(options)));

  const role = group('role', 'list roles, grant and revoke permissions');
  const roles = (): typeof import('./role') => require('./role');
  role('list', 'list the roles, or what one of them may do')
    .argument('[role]', 'such as public')
    .option('--permissions', 'list all that can be granted')
    .action(async (type, options) => finished(await roles().listRoles(type, options)));
  role('grant', 'let a role do something')
    .argument('<role>', 'such as public')
    .argument('<permissions...>', "such as api::article.article.find, or 'api::*.*.find'")
    .action(async (type, actions, options) => finished(await roles().grantTo(type, actions, options)));
  role('revoke', 'let a role do something no more')
    .argument('<role>', 'such as public')
    .argument('<permissions...>')
    .action(async (type, actions, options) => finished(await roles().revokeFrom(type, actions, options)));

  const token = group('token', 'make, list and revoke API tokens');
  const tokens = (): typeof import('./token') => require('./token');
  token('create', 'make a token, and print its key')
    .argument('<name>')
    .addOption(new Option('--type <type>', 'what it may do').choices(['full-access', 'read-only', 'custom']))
    .option('--permission <action>', 'what a custom token may do; may be repeated', collected)
    .option('--days <number>', 'how long it is good for (default: without end)', days)
    .option('--description <text>', 'what it is for')
    .action(async (name, options) => finished(await tokens().createToken(name, options)));
  token('list', 'list the tokens').action(async (options) => finished(await tokens().listTokens(options)));
  token('revoke', 'end a token')
    .argument('<name>')
    .action(async (name, options) => finished(await tokens().revokeToken(name, options)));

  const user = group('user', 'make users');
  user('create', 'make a user, with a password that is printed unless given')
    .argument('<username>')
    .requiredOption('--email <address>', 'where the user can be reached')
    .option('--role <role>', 'what the user may do (default: the role of new users)')
    .option('--password-stdin', 'read the password from standard input')
    .action(async (name, options) => finished(await require('./user').createUser(name, options)));
}
