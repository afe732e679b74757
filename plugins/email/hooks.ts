import { SyncHook } from 'tapable';
import type { ZodType } from 'zod';
import type { AppInfo, Logger } from '../../core';
import type { Mail } from './message';

/** A way to send messages, made once from the options that its user gave. */
export interface EmailSender {
  /** Ends when the message was taken over; an error says why it was not, and shows nothing of it. */
  send(mail: Mail): Promise<void>;
  close?(): void | Promise<void>;
}

export interface EmailProvider {
  /** What `provider` in `config/plugins` says to have it. */
  readonly name: string;
  /** Checks `providerOptions`. */
  readonly options: ZodType;
  /** Whether `settings.defaultFrom` must say who the sender is. */
  readonly needsSender?: boolean;
  make(options: unknown, place: { readonly app: AppInfo; readonly log: Logger }): EmailSender;
}

export interface EmailProviders {
  add(provider: EmailProvider): void;
}

/** What plugins may add to the sending of e-mail. */
export const emailHooks = () =>
  Object.freeze({
    /** To add providers, which send messages in ways of their own. */
    providers: new SyncHook<[providers: EmailProviders]>(['providers']),
  });

export type EmailHooks = ReturnType<typeof emailHooks>;

declare module '../../core/types' {
  interface HookBags {
    email: EmailHooks;
  }
}
