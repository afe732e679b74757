import { unfit } from '../errors';
import { Permission, Role, UserRole } from '../repository/models';
import type { Repository } from '../repository/repository';
import { freeType, roleType } from './role-type';

export interface RoleRow {
  readonly id: number;
  readonly documentId: string;
  readonly name: string;
  readonly description: string | null;
  readonly type: string;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly publishedAt: string | null;
}

export interface RoleInput {
  readonly name: string;
  readonly description?: string | null;
  /** No other role's. Made of the name unless given. */
  readonly type?: string;
  /** All that the role may do. */
  readonly actions?: readonly string[];
}

/** Roles and what they may do. Every change is one transaction, and holds from the next request on. */
export interface Roles {
  list(): Promise<(RoleRow & { readonly users: number })[]>;
  find(id: number): Promise<RoleRow | undefined>;
  ofType(type: string): Promise<RoleRow | undefined>;
  actionsOf(id: number): Promise<string[]>;
  create(input: RoleInput): Promise<RoleRow>;
  /** Creates it, unless there is one of this type already. */
  ensure(input: RoleInput & { readonly type: string }): Promise<void>;
  update(id: number, input: Partial<RoleInput>): Promise<boolean>;
  /** Its users may then do what everyone may. The role of new users can't be removed. */
  remove(id: number): Promise<boolean>;
  /** Answers what was not granted before. */
  grant(type: string, actions: readonly string[]): Promise<string[]>;
  /** Answers what was granted before. */
  revoke(type: string, actions: readonly string[]): Promise<string[]>;
}

export const everyonesRole = 'public';

interface Parts {
  readonly repository: Repository;
  /** Called after every change. */
  changed(): void;
  /** The role of new users. */
  defaultRole(): Promise<string>;
}

export function createRoles({ repository, changed, defaultRole }: Parts): Roles {
  const { knex, within, iso } = repository;
  type Transaction = Parameters<Parameters<Repository['within']>[0]>[0];

  const shown = (row: Role): RoleRow => ({
    id: row.id,
    documentId: row.document_id,
    name: row.name,
    description: row.description,
    type: row.type,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    publishedAt: iso(row.published_at),
  });

  async function changing<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const result = await within(work);
    changed();
    return result;
  }

  const granted = (role: Pick<Role, 'id'>, on: Transaction): Promise<Permission[]> =>
    Role.relatedQuery<Permission>('permissions', on).for(role.id).orderBy('id').execute() as Promise<Permission[]>;

  async function add(role: Pick<Role, 'id'>, actions: readonly string[], on: Transaction): Promise<string[]> {
    const own = await granted(role, on);
    const known = new Set(own.map(({ action }) => action));
    const missing = [...new Set(actions)].filter((action) => !known.has(action));
    for (const [index, action] of missing.entries()) {
      const inserted = await Permission.query(on).context(repository.context()).insert({ action });
      await on('up_permissions_role_lnk').insert({
        permission_id: inserted.id,
        role_id: role.id,
        permission_ord: own.length + index + 1,
      });
    }
    return missing;
  }

  async function take(
    role: Pick<Role, 'id'>,
    isTaken: (action: string) => boolean,
    on: Transaction,
  ): Promise<string[]> {
    const taken = (await granted(role, on)).filter(({ action }) => isTaken(action));
    const ids = taken.map(({ id }) => id);
    await on('up_permissions_role_lnk').whereIn('permission_id', ids).delete();
    await Permission.query(on).delete().whereIn('id', ids);
    return [...new Set(taken.map(({ action }) => action))];
  }

  async function required(type: string, on?: Transaction): Promise<Role> {
    const role = await Role.query(on ?? knex())
      .where({ type })
      .orderBy('id')
      .first();
    if (!role) throw new Error(`There is no role of the type "${type}".`);
    return role;
  }

  async function insert(
    { name, description = null, type: given, actions = [] }: RoleInput,
    on: Transaction,
  ): Promise<RoleRow> {
    const taken = new Set((await Role.query(on).select('type')).map(({ type }) => type));
    if (given !== undefined && taken.has(given)) throw unfit(`There is a role of the type "${given}" already`);
    const type = given ?? freeType(roleType(name), taken);
    const role = await Role.query(on).context(repository.context()).insertAndFetch({ name, description, type });
    await add(role, actions, on);
    return shown(role);
  }

  return {
    async list() {
      const rows = await Role.query(knex()).orderBy('id');
      const counts = (await UserRole.query(knex())
        .select('role_id')
        .count('* as users')
        .groupBy('role_id')) as unknown as {
        role_id: number;
        users: number | string;
      }[];
      const usersOf = new Map(counts.map(({ role_id, users }) => [role_id, Number(users)]));
      return rows.map((row) => ({ ...shown(row), users: usersOf.get(row.id) ?? 0 }));
    },

    async find(id) {
      const row = await Role.query(knex()).findById(id);
      return row && shown(row);
    },

    async ofType(type) {
      const row = await Role.query(knex()).where({ type }).orderBy('id').first();
      return row && shown(row);
    },

    async actionsOf(id) {
      const rows = (await Role.relatedQuery<Permission>('permissions', knex())
        .for(id)
        .orderBy('id')) as unknown as Permission[];
      return [...new Set(rows.map(({ action }) => action))];
    },

    create: (input) => changing((on) => insert(input, on)),

    ensure: (input) =>
      changing(async (on) => {
        const present = await Role.query(on).where({ type: input.type }).first();
        if (!present) await insert(input, on);
      }),

    update: (id, { name, description, actions }) =>
      changing(async (on) => {
        const role = await Role.query(on).findById(id);
        if (!role) return false;
        await Role.query(on)
          .context(repository.context())
          .patch({ ...(name !== undefined && { name }), ...(description !== undefined && { description }) })
          .where({ id });
        if (actions) {
          await take(role, (action) => !actions.includes(action), on);
          await add(role, actions, on);
        }
        return true;
      }),

    async remove(id) {
      const kept = [everyonesRole, await defaultRole()];
      return changing(async (on) => {
        const role = await Role.query(on).findById(id);
        if (!role) return false;
        if (kept.includes(role.type)) throw unfit(`Cannot delete ${role.type} role`);
        const everyones = await required(everyonesRole, on);
        await UserRole.query(on).patch({ role_id: everyones.id }).where({ role_id: id });
        await take(role, () => true, on);
        await Role.query(on).deleteById(id);
        return true;
      });
    },

    grant: (type, actions) => changing(async (on) => add(await required(type, on), actions, on)),
    revoke: (type, actions) =>
      changing(async (on) => take(await required(type, on), (action) => actions.includes(action), on)),
  };
}
