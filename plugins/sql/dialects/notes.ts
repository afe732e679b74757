/**
 * Texts that a database notes for the statements that follow in a transaction, so that whoever sends these need not know what
 * was found. A name is made of letters, digits and underscores; what is noted under it again takes the place of what was.
 */
export interface TextNotes {
  /** A column of a select that notes what an expression finds, and tells it. */
  note(name: string, text: string): string;
  /** The number with which a note begins; 0 where nothing was found. */
  number(name: string): string;
}

/**
 * In variables of the session, as MariaDB and MySQL have them. Not by `set`: that shares a lock on what it finds until the
 * transaction ends, and waits for who has changed it. MySQL would rather have neither, but has nothing in its place.
 */
export const inVariables: TextNotes = {
  note: (name, text) => `@heddle_${name}:=${text}`,
  number: (name) => `ifnull(substring_index(@heddle_${name},' ',1),0)`,
};

/** In settings of the transaction, as PostgreSQL has them: it has no variables. */
export const inSettings: TextNotes = {
  note: (name, text) => `set_config('heddle.${name}',coalesce(${text},''),true)`,
  number: (name) => `coalesce(nullif(split_part(current_setting('heddle.${name}'),' ',1),''),'0')::double precision`,
};
