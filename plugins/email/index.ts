import { definePlugin, token } from '../../core';
import { restPrefix } from '../rest';
import { type EmailSender, emailHooks } from './hooks';
import { checkedMail, type EmailMessage, type Mailbox } from './message';
import { wireText } from './nodemailer';
import { type EmailOptions, emailOptions } from './options';
import { chooseProvider } from './providers';
import { sendRoute } from './route';

export interface Email {
  /** Checks the message, which may be refused, and hands it to the provider. */
  send(message: EmailMessage): Promise<void>;
  /** Checks the message and puts it together, which takes as long, and hands it to nobody. */
  rehearse(message: EmailMessage): Promise<void>;
}

/** Sends e-mail, for other plugins. */
export const EMAIL = token<Email>('email.email');
export type { EmailHooks, EmailProvider, EmailProviders, EmailSender } from './hooks';
export type { EmailMessage, Mail, Mailbox } from './message';

const nobody: Mailbox = { name: 'Heddle', address: 'no-reply@localhost' };

export default definePlugin<EmailOptions>({
  name: 'email',
  options: emailOptions,
  apply({ hooks, ownHooks, app, config, log, service }, options) {
    ownHooks('email', emailHooks());
    const { defaultFrom = nobody, defaultReplyTo } = options.settings;
    let sender: EmailSender | undefined;

    hooks.lifecycle.provide.tap('email', (services) => {
      const { provider, options: own } = chooseProvider(options, hooks.email);
      sender = provider.make(own, { app, log });
      const { send } = sender;
      const checked = (message: EmailMessage) => checkedMail(message, { defaultFrom, defaultReplyTo });
      services.add(EMAIL, () => ({
        send: async (message) => send(checked(message)),
        rehearse: async (message) => void (await wireText(checked(message))),
      }));
    });

    hooks.http.routes.tap('email', (routes) =>
      routes.add(sendRoute(restPrefix(config()), (message) => service(EMAIL).send(message))),
    );

    hooks.lifecycle.close.tapPromise('email', async () => sender?.close?.());
  },
});
