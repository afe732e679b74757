import { CONTENT, definePlugin, token } from '../../core';
import { createPasswords, type Passwords } from './hashing';
import { createSeal } from './seal';

/** Hashes and checks passwords, for other plugins. */
export const PASSWORDS = token<Passwords>('passwords');
export { fits } from './hashing';
export type { Passwords };

export default definePlugin({
  name: 'passwords',
  apply({ hooks, service }) {
    let made: Passwords | undefined;
    hooks.lifecycle.provide.tap('passwords', (services) => {
      services.add(PASSWORDS, () => {
        made = createPasswords();
        return made;
      });
    });
    hooks.lifecycle.close.tapPromise('passwords', async () => made?.close());

    let seal: ReturnType<typeof createSeal> | undefined;
    hooks.document.data.tapPromise('passwords', async (data, { type }) => {
      seal ??= createSeal(service(PASSWORDS), () => service(CONTENT));
      return seal(type, data);
    });
  },
});
