import { type Application, CONTENT, type ContentType, createApplication, isTrue } from '../../core';
import { GRAPHQL_SCHEMA } from '../../plugins/graphql';
import { shipped } from '../../plugins/shipped';
import { DATABASE, pendingChanges, sortedByIndex } from '../../plugins/sql';
import { version } from '../package-root';
import { type FolderOptions, type Folders, foldersOf } from './application-folder';
import { columns } from './columns';
import { databaseProblem, problemsOf } from './problems-of';
import { inScratchFolder } from './scratch-folder';

const none = '  none';
const section = (title: string, text: string): string => `${title}\n${text || none}`;
const bullets = (lines: readonly string[]): string => lines.map((line) => `  - ${line}`).join('\n');

const originOf = (plugin: string): string =>
  Object.hasOwn(shipped.plugins, plugin) ? `${version()}, comes with Heddle` : 'of the application';

function plugins(names: readonly string[]): string {
  const rows = names.map((name, index) => [`${index + 1}.`, name, originOf(name)]);
  return section('Plugins, in the order in which they are applied', columns(rows, '  '));
}

const flags = ['required', 'unique', 'private'];

const isOwn = ({ system }: { readonly system: boolean }): boolean => !system;

function contentType(type: ContentType): string {
  const own = [...type.attributes.values()].filter(isOwn);
  const nested = [...type.nested.values()].filter(isOwn);
  const dimensions = type.dimensions.map(({ name }) => name).join(', ');
  const rows = [
    ...own.map((attribute) => [
      attribute.name,
      attribute.kind.name,
      flags.filter((flag) => isTrue(attribute, flag)).join(', '),
    ]),
    ...nested.map(({ name, definition, many }) => [
      name,
      definition.type,
      [many ? 'several' : '', ...flags.filter((flag) => definition[flag] === true)].filter(Boolean).join(', '),
    ]),
    ...[...type.dormant].map(([name, reason]) => [name, 'not served:', reason]),
  ];
  const title = `  ${type.uid} (${type.modelKind}${dimensions && `, by ${dimensions}`})`;
  return [title, columns(rows, '    ')].filter(Boolean).join('\n');
}

async function pending(app: Application, dataDir: string, scratch: string): Promise<string> {
  if (!app.kernel.order.includes('sql')) return section('Pending table changes', '  plugin "sql" is switched off');
  const { services, core } = app.kernel;
  const config = core.config().database;
  const place = { database: services.get(DATABASE), registry: services.get(CONTENT), config, dataDir };
  const { database, changes } = await pendingChanges(place, scratch).catch((error: unknown) => {
    throw databaseProblem(error);
  });
  return section(`Pending table changes of ${database}`, bullets(changes));
}

/** A list that is sorted otherwise reads all of its documents, which few of them take well and many do not. */
function indexes(app: Application): string {
  const { services, core, order } = app.kernel;
  if (!order.includes('sql')) return '';
  const found = sortedByIndex(services.get(CONTENT), core.config().database.indexes);
  const rows = found.map(([uid, names]) => [uid, names.join(', ')]);
  return section('Lists sorted by an index; `indexes` in config/database adds to these', columns(rows, '  '));
}

/** Everything that can be told of an application that could be put together. */
function report(app: Application, { appDir, dataDir }: Folders): string[] {
  const { order, config } = { order: app.kernel.order, config: app.kernel.core.app };
  const { hooks, services, middlewares, routes, notices } = app.describe();
  const types = [...app.kernel.services.get(CONTENT).types.values()];
  return [
    columns([
      ['Heddle', `${version()} on Node ${process.versions.node}`],
      ['Application', `${appDir} (${config.environment})`],
      ['Data', dataDir],
    ]),
    plugins(order),
    section(
      'Hooks and what taps them',
      columns(
        hooks.map(({ hook, taps }) => [hook, taps.join(', ')]),
        '  ',
      ),
    ),
    section('Services', bullets(services)),
    section('Middlewares around every request', bullets(middlewares)),
    section(`Content types (${types.length}, with ${routes.length} routes)`, types.map(contentType).join('\n')),
    indexes(app),
    section('Accepted, and without effect', bullets(notices)),
  ].filter(Boolean);
}

/** The problems one by one, as whoever must mend the project wants them. */
function problems(error: unknown): string {
  const found = problemsOf(error);
  return section(
    `Problems (${found.length})`,
    bullets(found.map(({ where, at, what, remedy }) => `${[where, at].filter(Boolean).join(' ')}: ${what} ${remedy}`)),
  );
}

/** Looks at everything, starts nothing and writes nothing. */
export async function doctor(options: FolderOptions): Promise<number> {
  const folders = foldersOf(options);
  const print = (text: string): void => void process.stdout.write(`${text}\n\n`);
  return inScratchFolder(async (scratch) => {
    try {
      const app = await createApplication({
        appDir: folders.appDir,
        dataDir: scratch,
        shipped,
        overrides: { server: { logger: { level: 'silent' } } },
      });
      for (const part of report(app, folders)) print(part);
      print(await pending(app, folders.dataDir, scratch));
      // Otherwise it is made with the first request.
      if (app.kernel.services.has(GRAPHQL_SCHEMA)) app.kernel.services.get(GRAPHQL_SCHEMA)();
      print(section('Problems', ''));
      return 0;
    } catch (error) {
      print(problems(error));
      return 1;
    }
  });
}
