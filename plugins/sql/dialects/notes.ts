/**
 * Texts that a database notes for the statements that follow in a transaction, so that whoever sends these need not know what
 * was found. Each is noted under its place in a list, until others are.
 */
export interface Notes {
  /** A statement that notes what these expressions find, and tells it unless another does. */
  note(texts: readonly string[]): string;
  /** Tells so many notes, where the statement that takes them doesn't. */
  readonly tell?: (count: number) => string;
  /** The number with which a note begins; 0 where nothing was found. */
  number(at: number): string;
}

const variable = (at: number): string => `@heddle_note${at}`;

/** In variables of the session, as MariaDB and MySQL have them. */
export const inVariables: Notes = {
  note: (texts) => `set ${texts.map((text, at) => `${variable(at)}=${text}`).join(',')}`,
  tell: (count) => `select ${Array.from({ length: count }, (_, at) => variable(at)).join(',')}`,
  number: (at) => `ifnull(substring_index(${variable(at)},' ',1),0)`,
};

const setting = (at: number): string => `'heddle.note${at}'`;

/** In settings of the transaction, as PostgreSQL has them: it has no variables. */
export const inSettings: Notes = {
  note: (texts) =>
    `select ${texts.map((text, at) => `set_config(${setting(at)},coalesce(${text},''),true)`).join(',')}`,
  number: (at) => `coalesce(nullif(split_part(current_setting(${setting(at)}),' ',1),''),'0')::double precision`,
};
