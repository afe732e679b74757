import { shipped } from '../../plugins/shipped';

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `reading-time` → `ReadingTime`. */
export const pascalCase = (name: string): string => name.split('-').map(capitalized).join('');

export const camelCase = (name: string): string => {
  const pascal = pascalCase(name);
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
};

/** What GraphQL can be asked for in every application, as far as a plugin's name could be written so. */
export const shippedFields: readonly string[] = [
  'me',
  'i18NLocale',
  'i18NLocales',
  'uploadFile',
  'uploadFiles',
  'usersPermissionsRole',
  'usersPermissionsRoles',
  'usersPermissionsUser',
  'usersPermissionsUsers',
];

/** Throws for what can't name a plugin of an application. */
export function refuseUnfitName(name: string): void {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 50)
    throw new Error(
      `"${name}" can't name a plugin. Use up to 50 small letters and digits, with single "-" in between, beginning with a letter.`,
    );
  if ([shipped.plugins, shipped.inert].some((known) => Object.hasOwn(known, name)))
    throw new Error(`"${name}" is the name of a plugin that Heddle knows already. Choose another.`);
  if (shippedFields.includes(camelCase(name)))
    throw new Error(
      `"${name}" would give the plugin a name in GraphQL that is there in every application: ${camelCase(name)}. Choose another, as "${name}-extras".`,
    );
}
