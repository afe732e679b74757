import type { Database } from '../../sql';
import { statement } from '../access/statements';

const table = 'heddle_meta';
const key = 'code_for_nobody';

/** Writes one row that means nothing, in a transaction: what an address that nobody has costs the database. */
export async function writeForNobody(database: Database, value: string): Promise<void> {
  const { id } = database.dialect;
  const update = statement(database, `update ${table} set ${id('value')} = ? where ${id('key')} = ?`);
  const { changes } = await database.transaction(async (connection) => connection.run(update, [value, key]));
  if (changes === 0) await database.knex()(table).insert({ key, value }).onConflict('key').ignore();
}
