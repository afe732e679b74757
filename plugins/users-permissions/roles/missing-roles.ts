import { type Database, grantedBy, seededGrants, seededRoles } from '../../sql';
import type { Roles } from './roles';

/** Adds the roles that every application has to the database of a project that had none. */
export async function addMissingRoles(database: Database, roles: () => Roles): Promise<void> {
  const rows = await database.rows({ sql: 'select distinct type from up_roles', isAskedOnce: true }, []);
  const present = new Set(rows.map(([type]) => type));
  for (const { type, name, description } of seededRoles) {
    if (present.has(type)) continue;
    const actions = seededGrants[type].map((action) => `${grantedBy}.${action}`);
    await roles().ensure({ type, name, description, actions });
  }
}
