import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { cleanedUp } from '../clean-up';
import { LoadConnection, requestBytes } from './load-connection';

type Answering = (request: IncomingMessage, response: ServerResponse) => void;

/** Works with a client of a server, and tells how many connections that was asked over. */
async function asking(
  answering: Answering,
  work: (client: LoadConnection, host: string) => Promise<void>,
): Promise<number> {
  const server = createServer(answering).listen(0, '127.0.0.1');
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await once(server, 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const client = new LoadConnection(url);
  await cleanedUp(
    () => work(client, url.host),
    async () => {
      client.close();
      server.close();
      await once(server, 'close');
    },
  );
  return connections;
}

test('a request comes as it was meant', async () => {
  const seen: unknown[] = [];
  async function answering(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url, headers } = request;
    const { host, connection, ...others } = headers;
    seen.push({ method, url, host, connection, ...others, body: await text(request) });
    response.end('{}');
  }
  const json = { 'content-type': 'application/json' };
  const connections = await asking(
    (...given) => void answering(...given),
    async (client, host) => {
      const caller = { authorization: 'Bearer key' };
      await client.ask(requestBytes({ method: 'GET', path: '/a?filters[b][$eq]=1' }, host, caller));
      await client.ask(requestBytes({ method: 'POST', path: '/a', headers: json, body: '{"a":"ä"}' }, host, caller));
      await client.ask(requestBytes({ method: 'PUT', path: '/b', body: Buffer.from([65, 66]) }, host, {}));
      expect(seen).toEqual([
        { method: 'GET', url: '/a?filters[b][$eq]=1', host, ...caller, body: '' },
        { method: 'POST', url: '/a', host, ...caller, ...json, 'content-length': '10', body: '{"a":"ä"}' },
        { method: 'PUT', url: '/b', host, 'content-length': '2', body: 'AB' },
      ]);
    },
  );
  expect(connections).toBe(1);
});

test('a connection that is closed or breaks is opened again for the next request', async () => {
  const connections = await asking(
    ({ url, socket }, response) => {
      if (url === '/broken') socket.destroy();
      else response.writeHead(200, url === '/last' ? { connection: 'close' } : {}).end('there');
    },
    async (client, host) => {
      const ask = (path: string) => client.ask(requestBytes({ method: 'GET', path }, host, {}));
      expect((await ask('/last')).body().toString()).toBe('there');
      await expect(ask('/broken')).rejects.toThrow();
      const answers = [await ask('/'), await ask('/')];
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    },
  );
  expect(connections).toBe(3);
});
