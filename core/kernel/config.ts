import type { ZodType } from 'zod';
import type { ConfigSections } from '../types';
import { type Problem, problem } from './problems';
import { schemaProblems } from './schema-problems';
import { didYouMean } from './suggest';

/** What the files in `config/` say, by file name, unchecked. */
export type RawConfig = Readonly<Record<string, unknown>>;
/** The same after the declared keys were checked and defaults filled in. */
export type Config = Readonly<ConfigSections>;

type Keys<Section> = { readonly [Key in keyof Section]: ZodType<Section[Key]> };

export interface ConfigDeclarations {
  /** Declares keys of a configuration file; several plugins may share a file, never a key. */
  declare<Name extends keyof ConfigSections & string>(file: Name, keys: Partial<Keys<ConfigSections[Name]>>): void;
  /** Keys that existing projects have and that are without effect here, each with the reason; `*` for all others. */
  inert(file: string, keys: Readonly<Record<string, string>>): void;
  /** A file that existing projects have, and why it is without effect where no plugin declares its keys. */
  unread(file: string, reason: string): void;
}

interface Section {
  keys: Map<string, { schema: ZodType; owner: string }>;
  inert: Map<string, string>;
}

export interface CheckedConfig {
  config: Config;
  problems: Problem[];
  /** Configured, accepted, and without effect. */
  notices: string[];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function createConfigDeclarations(whoIsAdding: () => string) {
  const sections = new Map<string, Section>();
  const unread = new Map<string, string>();
  const clashes: Problem[] = [];
  const sectionOf = (file: string): Section => {
    const section = sections.get(file) ?? { keys: new Map(), inert: new Map() };
    sections.set(file, section);
    return section;
  };

  const declarations: ConfigDeclarations = {
    declare(file, keys) {
      for (const [key, schema] of Object.entries(keys)) {
        const other = sectionOf(file).keys.get(key);
        if (other) {
          clashes.push(
            problem(
              `config/${file}`,
              `is declared by plugin "${other.owner}" and by plugin "${whoIsAdding()}".`,
              'Switch one of the two off.',
              key,
            ),
          );
        }
        sectionOf(file).keys.set(key, { schema: schema as ZodType, owner: whoIsAdding() });
      }
    },
    inert(file, keys) {
      for (const [key, reason] of Object.entries(keys)) sectionOf(file).inert.set(key, reason);
    },
    unread: (file, reason) => void unread.set(file, reason),
  };

  function checkSection(
    file: string,
    section: Section,
    raw: Record<string, unknown>,
    checked: CheckedConfig,
  ): Record<string, unknown> {
    const where = `config/${file}`;
    const values: Record<string, unknown> = {};
    for (const [key, { schema }] of section.keys) {
      const { value, problems } = schemaProblems(schema, raw[key], where, key);
      checked.problems.push(...problems);
      values[key] = value;
    }
    for (const key of Object.keys(raw)) {
      if (section.keys.has(key)) continue;
      const reason = section.inert.get(key) ?? section.inert.get('*');
      if (reason) checked.notices.push(`${where} ${key} is without effect: ${reason}`);
      else
        checked.problems.push(
          problem(
            where,
            'is no known key.',
            `Remove it.${didYouMean(key, [...section.keys.keys(), ...section.inert.keys()])}`,
            key,
          ),
        );
    }
    return values;
  }

  function check(raw: RawConfig): CheckedConfig {
    const config: Record<string, unknown> = {};
    const checked: CheckedConfig = { config: config as Config, problems: [...clashes], notices: [] };
    for (const [file, content] of Object.entries(raw)) {
      if (!sections.has(file) && unread.has(file)) {
        checked.notices.push(`config/${file} is without effect: ${unread.get(file)}`);
      } else if (!sections.has(file)) {
        const known = [...sections.keys(), ...unread.keys()];
        checked.problems.push(
          problem(`config/${file}`, 'is no known configuration file.', `Remove it.${didYouMean(file, known)}`),
        );
      } else if (content !== undefined && !isObject(content)) {
        checked.problems.push(
          problem(`config/${file}`, 'does not hold an object.', 'Export an object, or a function that returns one.'),
        );
      }
    }
    for (const [file, section] of sections) {
      const content = raw[file];
      config[file] = Object.freeze(checkSection(file, section, isObject(content) ? content : {}, checked));
    }
    return checked;
  }

  return { declarations, check };
}
