import { createApplication } from '../../../core';
import { appFolder } from '../../../core/testing/app-folder';
import { shipped } from '../../shipped';

const start = async (env: Record<string, string>, config: object): Promise<string> => {
  const folder = appFolder({});
  const overrides = { plugins: { 'users-permissions': { config } } };
  try {
    const app = await createApplication({ ...folder, shipped, env: { NODE_ENV: 'test', ...env }, overrides });
    await app.close();
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  } finally {
    folder.remove();
  }
};

test.each(['', '   ', 'short'])('a key of tokens that can be guessed is refused: "%s"', async (secret) => {
  expect(await start({ JWT_SECRET: secret }, {})).toContain('JWT_SECRET: is empty or shorter than 10 characters');
  expect(await start({}, { jwtSecret: secret })).toMatch(/jwtSecret: is empty or shorter than 10 characters/);
});

test('the keys of existing projects are taken; the environment is not judged where the project says another', async () => {
  expect(await start({}, { jwtSecret: 'jwt-secret' })).toBe('accepted');
  expect(await start({ JWT_SECRET: 'a-longer-secret' }, {})).toBe('accepted');
  expect(await start({ JWT_SECRET: '' }, { jwtSecret: 'jwt-secret' })).toBe('accepted');
});
