import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { pluginOf, type TestApplication, testApplication } from '../testing/test-application';

// Clients that do not take their answers.

const large = 50_000_000;
const nothing = (): void => undefined;
const request = 'GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

let app: TestApplication;
let asked: (cut: Promise<unknown>) => void;
let release: () => void;

const giving = pluginOf('giving', ({ hooks }) =>
  hooks.http.routes.tap('giving', (routes) => {
    routes.add({
      method: 'GET',
      path: '/large',
      access: 'open',
      handle(context) {
        asked(once(context.res, 'close'));
        context.body = Buffer.alloc(large);
      },
    });
    routes.add({
      method: 'GET',
      path: '/late',
      access: 'open',
      async handle(context) {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        context.body = { done: true };
      },
    });
  }),
);

async function start(answerTimeout: number): Promise<number> {
  app = await testApplication({ plugins: [giving], overrides: { server: { http: { answerTimeout } } } });
  return (await app.listen(0)).port;
}
afterEach(() => app.close());

function asking(port: number): Socket {
  const socket = connect(port, '127.0.0.1').pause();
  socket.write(request);
  return socket;
}

test('one that takes nothing is cut off', async () => {
  const port = await start(100);
  const cut = new Promise((resolve) => {
    asked = resolve;
  });
  const socket = asking(port);
  await cut;
  socket.destroy();
});

test('but not one that takes it slowly, nor one whose answer takes its time', async () => {
  const port = await start(1_000);
  const late = fetch(`http://127.0.0.1:${port}/late`);
  asked = nothing;
  const socket = asking(port);
  const end = once(socket, 'end');
  let taken = 0;
  let wanted = 0;
  socket.on('data', (chunk: Buffer) => {
    taken += chunk.length;
    if (taken > wanted) socket.pause();
  });
  for (let step = 1; step <= 16; step += 1) {
    wanted = (step * large) / 20;
    socket.resume();
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  wanted = Number.POSITIVE_INFINITY;
  socket.resume();
  await end;
  expect(taken).toBeGreaterThan(large);
  release();
  expect(await (await late).json()).toEqual({ done: true });
});
