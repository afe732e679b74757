import type { EmailMessage } from '../../email';
import type { SettingsReader } from '../users/settings';
import type { Addressee } from './send-code';

/** As an administration panel keeps it. */
interface KeptTemplate {
  readonly options?: {
    readonly from?: { readonly name?: string; readonly email?: string };
    readonly response_email?: string;
    readonly object?: string;
    readonly message?: string;
  };
}

const templates = {
  reset_password: {
    subject: 'Reset password',
    html: '<p>Somebody, probably you, asked for a new password.</p>\n\n<p>To choose one, follow this link:</p>\n<p><%= URL %>?code=<%= TOKEN %></p>\n\n<p>If it was not you, nothing needs to be done.</p>',
  },
  email_confirmation: {
    subject: 'Confirm your address',
    html: '<p>Thank you for registering.</p>\n\n<p>To confirm that this is your address, follow this link:</p>\n<p><%= URL %>?confirmation=<%= CODE %></p>',
  },
};

type Occasion = keyof typeof templates;
type Variables = Readonly<Record<string, string>>;

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
const asIs = (text: string): string => text;

/** Variables in `<%= … %>`: their names and nothing else, so that no template can run code. */
const filled = (template: string, variables: Variables, spell: (text: string) => string): string =>
  template.replace(/<%[=-]\s*([\w.]+)\s*%>/g, (_, name: string) => spell(variables[name] ?? ''));

const withoutTags = (html: string): string => html.replace(/<[^>%]*>/g, '').trim();
const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ');

/** The senders of new Strapi projects have addresses that nobody else may send from. */
const isOwn = (address: string | undefined): address is string =>
  address !== undefined && address !== '' && !address.endsWith('@strapi.io');

interface Parts {
  readonly settings: SettingsReader;
  /** Where the service is reached, by its configuration: never what a request says. */
  readonly serverUrl: () => string;
  readonly prefix: () => string;
}

/** Writes the messages that users get, after the templates that the database holds, if any. */
export function createMails({ settings, serverUrl, prefix }: Parts) {
  async function write(occasion: Occasion, { username, email }: Addressee, own: Variables): Promise<EmailMessage> {
    const kept = ((await settings.stored('email')) as Record<string, KeptTemplate> | undefined)?.[occasion]?.options;
    const { subject, html } = templates[occasion];
    const variables = { 'USER.username': username, 'USER.email': email, SERVER_URL: serverUrl(), ...own };
    const template = kept?.message || html;
    const { name = '', email: sender } = kept?.from ?? {};
    return {
      to: email,
      ...(isOwn(sender) && { from: `"${name.replace(/["\\<>]/g, '')}" <${sender}>` }),
      ...(isOwn(kept?.response_email) && { replyTo: kept.response_email }),
      subject: oneLine(filled(kept?.object || subject, variables, asIs)),
      html: filled(template, variables, escaped),
      text: filled(withoutTags(template), variables, asIs),
    };
  }

  return {
    async newPassword(user: Addressee, code: string): Promise<EmailMessage> {
      const { email_reset_password: page } = await settings.advanced();
      return write('reset_password', user, { URL: page ?? `${serverUrl()}/reset-password`, TOKEN: code });
    },
    confirmation: (user: Addressee, code: string): Promise<EmailMessage> =>
      write('email_confirmation', user, { URL: `${serverUrl()}${prefix()}/auth/email-confirmation`, CODE: code }),
  };
}

export type Mails = ReturnType<typeof createMails>;
