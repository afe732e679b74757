import { SyncHook } from 'tapable';
import type { ZodType } from 'zod';
import type { AppInfo, Logger } from '../../core';

/** A file that lies ready on this machine's disk. */
export interface ReadyFile {
  readonly path: string;
  readonly size: number;
  readonly mime: string;
}

/** A place for files. Keys are names such as `photo_1a2b3c4d5e.png`, made by the plugin: letters, digits, `_`, `-` and `.`. */
export interface FileStore {
  /** Keeps the file's bytes under the key, wholly or not at all, in the place of those that were there. */
  put(key: string, file: ReadyFile): Promise<void>;
  /** Removes what is under the key; nothing there is no error. */
  remove(key: string): Promise<void>;
  /** The address under which clients find the file. */
  urlOf(key: string): string;
  /** An address that works for a while, for places that nobody may look into without one. */
  signedUrl?(key: string): Promise<string>;
  close?(): void | Promise<void>;
}

export interface FileProvider {
  /** What `provider` in `config/plugins` says to have it, and what files remember. */
  readonly name: string;
  /** Checks `providerOptions`. */
  readonly options: ZodType;
  make(options: unknown, place: { readonly app: AppInfo; readonly log: Logger }): FileStore;
}

export interface FileProviders {
  add(provider: FileProvider): void;
}

/** What plugins may add to the keeping of files. */
export const uploadHooks = () =>
  Object.freeze({
    /** To add providers, which keep files in places of their own. */
    providers: new SyncHook<[providers: FileProviders]>(['providers']),
  });

export type UploadHooks = ReturnType<typeof uploadHooks>;

declare module '../../core/types' {
  interface HookBags {
    upload: UploadHooks;
  }
}
