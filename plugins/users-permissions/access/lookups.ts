import { flatMapped, grouped, Lru } from '../../../core';
import type { Database } from '../../sql';
import { fullAccess, type KnownToken, type KnownUser, nothing, type Rights, readOnly, rightsTo } from './rights';
import { afterwards, moment, statement } from './statements';

/** What each role may do. */
export interface Grants {
  /** By the number of the role's row. */
  readonly ofRole: ReadonlyMap<number, Rights>;
  readonly ofEveryone: Rights;
}

/** An API token as requests need it. */
export interface FoundToken extends KnownToken {
  readonly granted: Rights;
  readonly expiresAt: number | undefined;
}

type Answer<T> = T | Promise<T>;

const mostRights = 1_000;

const grantsSql = `select r.id, r.type, p.action from up_roles r
  left join up_permissions_role_lnk l on l.role_id = r.id left join up_permissions p on p.id = l.permission_id
  order by r.id, p.id`;

/** What is different after anything was granted or revoked. */
const marksSql = `select (select count(*) from up_permissions), (select max(id) from up_permissions),
  (select count(*) from up_permissions_role_lnk), (select max(id) from up_permissions_role_lnk),
  (select count(*) from up_roles), (select max(id) from up_roles)`;

const userSql = `select u.id, u.document_id, u.username, u.email, u.confirmed, u.blocked, l.role_id from up_users u
  left join up_users_role_lnk l on l.user_id = u.id where u.id = ?`;

const tokenSql = (expiry: string): string => `select t.id, t.name, t.type, ${expiry}, p.action from strapi_api_tokens t
  left join strapi_api_token_permissions_token_lnk l on l.api_token_id = t.id
  left join strapi_api_token_permissions p on p.id = l.api_token_permission_id
  where t.access_key = ? and (t.kind is null or t.kind = 'content-api')`;

/** Reads of the database who somebody is and what they may do: one statement each. */
export function createLookups(database: Database) {
  const { raw } = database.dialect;
  const grants = statement(database, grantsSql);
  const user = statement(database, userSql);
  const token = statement(database, tokenSql(raw('t.expires_at', 'datetime')));
  /** Rights by the list of actions as it is read: whatever else was written meanwhile, most lists are as before. */
  const known = new Lru<Rights>(mostRights);

  function rightsIn(actions: readonly string[]): Rights {
    const key = JSON.stringify(actions);
    const rights = known.get(key) ?? rightsTo(actions);
    known.set(key, rights);
    return rights;
  }

  return {
    marks: (): Answer<string> => afterwards(database.rows({ sql: marksSql }, []), ([marks]) => String(marks)),

    grants: (): Answer<Grants> =>
      afterwards(database.rows(grants, []), (rows) => {
        const ofRole = new Map(
          [...grouped(rows, ([id]) => Number(id))].map(([id, own]) => [
            id,
            rightsIn(flatMapped(own, ([, , action]) => (action === null ? [] : [String(action)]))),
          ]),
        );
        const everyone = rows.find(([, type]) => type === 'public');
        return { ofRole, ofEveryone: everyone ? ofRole.get(Number(everyone[0]))! : nothing };
      }),

    user: (id: number): Answer<KnownUser | undefined> =>
      afterwards(database.rows(user, [id]), ([row]) => {
        if (!row) return undefined;
        const [rowId, documentId, username, email, confirmed, blocked, roleId] = row;
        return {
          id: Number(rowId),
          documentId: String(documentId),
          username: String(username),
          email: String(email),
          confirmed: Boolean(confirmed),
          blocked: Boolean(blocked),
          roleId: roleId === null ? undefined : Number(roleId),
        };
      }),

    token: (hash: string): Answer<FoundToken | undefined> =>
      afterwards(database.rows(token, [hash]), (rows) => {
        const [first] = rows;
        if (!first) return undefined;
        const [id, name, type, expiresAt] = first;
        const actions = flatMapped(rows, (row) => (row[4] === null ? [] : [String(row[4])]));
        const granted = type === 'full-access' ? fullAccess : type === 'read-only' ? readOnly : rightsTo(actions);
        return { id: Number(id), name: String(name), granted, expiresAt: moment(database, expiresAt) };
      }),
  };
}

export type Lookups = ReturnType<typeof createLookups>;
