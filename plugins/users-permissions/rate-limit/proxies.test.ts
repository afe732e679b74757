import { createApplication } from '../../../core';
import { appFolder } from '../../../core/testing/app-folder';
import { shipped } from '../../shipped';

const folder = appFolder();
afterAll(() => folder.remove());

test('where everybody is believed about their address, a notice says what that means for the rate limit', async () => {
  const notices = async (config: object, proxy: unknown): Promise<string> => {
    const overrides = { server: { proxy }, plugins: { 'users-permissions': { enabled: true, config } } };
    const app = await createApplication({ ...folder, shipped, env: { NODE_ENV: 'test' }, overrides });
    return app.notices.join('\n');
  };
  expect(await notices({}, true)).toMatch(/can evade the rate limit/);
  expect(await notices({}, { koa: true })).toMatch(/can evade the rate limit/);
  expect(await notices({}, ['10.0.0.1'])).not.toMatch(/rate limit/);
  expect(await notices({ ratelimit: { enabled: false } }, true)).not.toMatch(/rate limit/);
});
