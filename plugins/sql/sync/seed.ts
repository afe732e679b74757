import { randomBytes } from 'node:crypto';
import type { DialectName } from '../dialects/dialect';
import { doneMigrations, grantedBy, grants, locales, type RoleType, roles, settings } from '../layout/seeds';
import { quote, quoteAll } from './quote';
import type { Binding, Run } from './run';

/** Writes the rows of an untouched database. The caller has seen that there are none. */
export async function seed(run: Run, dialect: DialectName): Promise<void> {
  const now = dateValue(dialect, new Date());
  const insert = (table: string, row: Readonly<Record<string, Binding>>): Promise<unknown> => {
    const columns = Object.keys(row);
    const into = `insert into ${quote(dialect, table)} (${quoteAll(dialect, columns)})`;
    return run(`${into} values (${columns.map(() => '?').join(', ')})`, Object.values(row));
  };
  const document = (row: Readonly<Record<string, Binding>>): Readonly<Record<string, Binding>> => ({
    document_id: documentId(),
    ...row,
    created_at: now,
    updated_at: now,
    published_at: now,
  });

  for (const name of doneMigrations) await insert('strapi_migrations_internal', { name, time: now });
  for (const setting of settings) await insert('strapi_core_store_settings', setting);
  for (const locale of locales) await insert('i18n_locale', document(locale));
  for (const role of roles) await insert('up_roles', document(role));
  for (const { type } of roles) {
    for (const [i, name] of grants[type].entries()) {
      const action = `${grantedBy}.${name}`;
      await insert('up_permissions', document({ action }));
      await linkGrant(run, action, type, i + 1);
    }
  }
}

// By name, not by id: a start that broke off may have used up ids.
const linkGrant = (run: Run, action: string, role: RoleType, order: number): Promise<unknown> =>
  run(
    'insert into up_permissions_role_lnk (permission_id, role_id, permission_ord) ' +
      `select p.id, r.id, ${order} from up_permissions p, up_roles r where p.action = ? and r.type = ?`,
    [action, role],
  );

/** Milliseconds on SQLite; elsewhere UTC as text, which no driver moves into the zone of the process. */
function dateValue(dialect: DialectName, date: Date): Binding {
  if (dialect === 'sqlite') return date.getTime();
  return date.toISOString().replace('T', ' ').replace('Z', '');
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
const characters = `${letters}0123456789`;

/** 24 lower-case letters and digits, the first a letter: the form of the peer's document ids. */
function documentId(): string {
  const [first = 0, ...rest] = randomBytes(24);
  return letters.charAt(first % 26) + rest.map((byte) => characters.charAt(byte % 36)).join('');
}
