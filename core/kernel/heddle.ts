import type { HookBags } from '../types';
import type { Config, ConfigDeclarations } from './config';
import type { Logger } from './logger';
import type { Token } from './services';

/** The application as plugins see it. */
export interface AppInfo {
  /** Folder with `config/` and `src/`. */
  readonly dir: string;
  /** Folder for everything the application writes. */
  readonly dataDir: string;
  readonly environment: string;
  /** Variables of the process, over those of `.env`. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What a plugin's `apply` receives: the whole of the kernel that a plugin may touch. */
export interface Heddle {
  readonly version: string;
  readonly app: AppInfo;
  readonly hooks: Readonly<HookBags>;
  readonly declare: ConfigDeclarations;
  readonly log: Logger;
  /** The checked configuration; there from `lifecycle.provide` on. */
  config(): Config;
  /** A service; there from `lifecycle.provide` on. */
  service<T>(token: Token<T>): T;
  /** Names something of the project that is accepted but without effect, at start and in `doctor`. */
  notice(text: string): void;
  /** Adds the plugin's own bag of hooks under the plugin's name. */
  ownHooks<Name extends keyof HookBags & string>(name: Name, bag: HookBags[Name]): void;
}
