import { didYouMean, type Problem, problem, refuseIfAny, schemaProblems } from '../../core';
import type { EmailHooks, EmailProvider } from './hooks';
import type { EmailOptions } from './options';
import { outboxProvider } from './outbox';

const where = 'config/plugins';

/** Those that bring much are read when they are chosen. */
function collected(hooks: EmailHooks): Map<string, () => EmailProvider> {
  const providers = new Map<string, () => EmailProvider>([
    ['outbox', () => outboxProvider],
    ['nodemailer', () => (require('./nodemailer') as typeof import('./nodemailer')).nodemailerProvider],
  ]);
  const add = (provider: EmailProvider): void => {
    const { name } = provider;
    if (providers.has(name))
      refuseIfAny([problem(`e-mail provider "${name}"`, 'is added twice.', 'Give one of the two another name.')]);
    providers.set(name, () => provider);
  };
  hooks.providers.call({ add });
  return providers;
}

const unknown = (name: string, known: readonly string[]): Problem =>
  problem(
    where,
    `names "${name}", which no plugin adds: nothing could be sent.`,
    `Known are ${known.join(', ')}; most services take messages over SMTP, by nodemailer.${didYouMean(name, known)}`,
    'email.config.provider',
  );

const withoutSender = problem(
  where,
  'is missing: messages need a sender.',
  'Give an address that the mail server may send from.',
  'email.config.settings.defaultFrom',
);

/** The provider that the configuration names, with its options checked. */
export function chooseProvider(
  { provider: name, providerOptions, settings }: EmailOptions,
  hooks: EmailHooks,
): { provider: EmailProvider; options: unknown } {
  const providers = collected(hooks);
  const chosen = providers.get(name);
  if (!chosen) refuseIfAny([unknown(name, [...providers.keys()])]);
  const provider = chosen!();
  const { options, needsSender } = provider;
  const { value, problems } = schemaProblems(options, providerOptions, where, 'email.config.providerOptions');
  refuseIfAny(needsSender && !settings.defaultFrom ? [...problems, withoutSender] : problems);
  return { provider, options: value };
}
