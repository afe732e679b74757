import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { cleanedUp } from '../clean-up';
import { packageRoot } from '../package-root';
import type { Load } from './load';

// Built, for it begins another process.
const { load, withLoader } = require(
  join(packageRoot, 'dist', 'scripts', 'bench', 'load.js'),
) as typeof import('./load');

async function ofServer(answering: RequestListener, work: (what: Load) => Promise<void>): Promise<void> {
  const server = createServer(answering).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await cleanedUp(
    () => work({ url, headers: {}, requests: [{ method: 'GET', path: '/' }], connections: 2, seconds: 0.3 }),
    async () => {
      server.close();
      await once(server, 'close');
    },
  );
}

test('loads that follow each other are told apart, and each counts its own answers', async () => {
  let asked = 0;
  const answering: RequestListener = ({ url }, response) => {
    asked += 1;
    response.statusCode = url === '/' ? 200 : 404;
    response.end('there');
  };
  await ofServer(answering, (what) =>
    withLoader(async (loader) => {
      const begun = performance.now();
      const good = await loader.load(what);
      const seconds = (performance.now() - begun) / 1_000;
      expect(good).toMatchObject({ answers: asked, failed: 0 });
      expect(good.perSecond).toBeGreaterThanOrEqual(asked / seconds);
      expect(good.perSecond).toBeLessThanOrEqual(asked / what.seconds);
      expect(good.p50).toBeLessThanOrEqual(good.p99);
      const before = asked;
      const bad = await loader.load({ ...what, requests: [{ method: 'GET', path: '/elsewhere' }] });
      expect(bad).toMatchObject({
        answers: asked - before,
        failed: asked - before,
        perSecond: 0,
        failure: '404 there',
      });
    }),
  );
});

test('answers that never begin are failures, and a load that can not be sent is told', async () => {
  await ofServer(
    ({ socket }) => void socket.destroy(),
    async (what) => {
      const { answers, failed } = await load(what);
      expect([failed, failed > 0]).toEqual([answers, true]);
      await expect(load({ ...what, url: 'nowhere' })).rejects.toThrow('what sends loads ended with the code 1');
    },
  );
});
