import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, type Socket, Server as TcpServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { problem, refuseIfAny } from '../kernel/problems';
import { hasFreeProcessor, lookingOut } from './lookout';
import type { ConnectionLimits } from './settings/server-config';

export interface Address {
  readonly host: string;
  readonly port: number;
  readonly url: string;
}

export interface RunningServer {
  readonly address: Address;
  /** Takes in who has connected already, lets requests in flight finish, and cuts what is left after the time for that. */
  close(): Promise<void>;
}

const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Stop what listens there, or choose another port.',
  EACCES: 'Choose a port above 1023, or give the process the right to this one.',
  EADDRNOTAVAIL: 'Choose a host address that this machine has.',
  ENOTFOUND: 'Choose a host address that this machine has.',
};

/** What keeps a server from listening, as whoever starts it can use it. */
function refuseStart(error: NodeJS.ErrnoException, port: number, host: string): never {
  const remedy = remedies[error.code ?? ''];
  if (remedy) refuseIfAny([problem('server', `can't listen on ${host}:${port} (${error.code}).`, remedy)]);
  throw error;
}

async function started(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening').catch((error) => refuseStart(error, port, host));
}

/** For so long nobody may come before the line of those who did is taken to be at its end; and it ends for everybody. */
const lull = 30;
const longestLine = 1_000;

/** Who connected before a server closes may not be taken in yet: what is closed then is the line, with all who stand in it. */
async function lineTaken(server: Server): Promise<void> {
  const end = performance.now() + longestLine;
  let someoneCame: boolean;
  const notice = (): void => {
    someoneCame = true;
  };
  server.on('connection', notice);
  do {
    someoneCame = false;
    await sleep(lull);
    // What came while something else was busy is noticed in the turn that follows.
    await turn();
  } while (someoneCame && performance.now() < end);
  server.off('connection', notice);
}

/** How long a connection may stay idle while the server closes: a request could be on its way. */
const idleGrace = 100;

/**
 * Net's own close only stops accepting. That of HTTP also cuts idle connections at that very moment, under the hands
 * of clients that are about to send; here they still get an answer, which tells them that it is the last.
 */
function drain(server: Server, patience: number, upgraded: ReadonlySet<Duplex>): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => {
      server.closeAllConnections();
      for (const socket of upgraded) socket.destroy();
    }, patience);
    const idle = setInterval(() => server.closeIdleConnections(), idleGrace);
    TcpServer.prototype.close.call(server, () => {
      clearTimeout(cut);
      clearInterval(idle);
      server.close(() => resolve());
    });
  });
}

/** Takes a connection that goes on in another protocol, or refuses it. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** The server's own account of its connections ends where another protocol begins. */
function watchUpgrades(server: Server, upgrade: Upgrade): Set<Duplex> {
  const upgraded = new Set<Duplex>();
  server.on('upgrade', (request, socket, head) => {
    upgraded.add(socket);
    socket.once('close', () => upgraded.delete(socket));
    socket.on('error', () => socket.destroy());
    upgrade(request, socket, head);
  });
  return upgraded;
}

/**
 * Whose answer waits in memory, or its file is held open, until it is taken. Node cuts off a connection on which nothing moves;
 * it is told to do so where something waits to be sent, for what a handler takes its time for is no such.
 */
function cutOffIdlers(server: Server, patience: number): void {
  const all = new Set<Socket>();
  server.on('connection', (socket) => {
    all.add(socket);
    socket.once('close', () => all.delete(socket));
  });
  const look = setInterval(() => {
    for (const socket of all) if (socket.writableLength > 0 && socket.timeout !== patience) socket.setTimeout(patience);
  }, patience / 2).unref();
  server.once('close', () => clearInterval(look));
}

export async function listen(
  listener: RequestListener,
  port: number,
  host: string,
  limits: ConnectionLimits,
  /** Hears what goes wrong with taking in connections later. */
  tell: (error: Error) => void,
  upgrade?: Upgrade,
): Promise<RunningServer> {
  const { maxHeaderSize, headersTimeout, requestTimeout, answerTimeout, keepAliveTimeout, drainTimeout, lookout } =
    limits;
  const shortest = Math.min(...[headersTimeout, requestTimeout].filter((timeout) => timeout > 0), 30_000);
  const connectionsCheckingInterval = Math.max(100, Math.floor(shortest / 4));
  const server = createServer(
    { maxHeaderSize, headersTimeout, requestTimeout, keepAliveTimeout, connectionsCheckingInterval },
    lookout > 0 && hasFreeProcessor() ? lookingOut(listener, lookout) : listener,
  );
  if (answerTimeout > 0) cutOffIdlers(server, answerTimeout);
  const upgraded = upgrade ? watchUpgrades(server, upgrade) : new Set<Duplex>();
  await started(server, port, host);
  server.on('error', tell);
  const bound = (server.address() as AddressInfo).port;
  const name = host.includes(':') ? `[${host}]` : host;
  let closed: Promise<void> | undefined;
  return {
    address: { host, port: bound, url: `http://${name}:${bound}` },
    close() {
      closed ??= lineTaken(server).then(() => drain(server, drainTimeout, upgraded));
      return closed;
    },
  };
}
