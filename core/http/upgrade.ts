import type { Duplex } from 'node:stream';
import { isTapped } from '../kernel/hook-bag';
import type { HttpHooks } from './hooks';
import type { Upgrade } from './server';
import type { Phase } from './shell';

const refusals = { 404: 'Not Found', 503: 'Service Unavailable' } as const;

/** How long a client may go on sending what nobody reads, in milliseconds: cut off at once, it might not see the answer. */
const patience = 1_000;

/** Answers who wants to change the protocol that it is not to be. Nobody watches the connection any more: it ends here. */
export function refuseUpgrade(socket: Duplex, status: keyof typeof refusals): void {
  // A client that leaves its own side open would keep the connection for ever.
  const impatient = setTimeout(() => socket.destroy(), patience).unref();
  socket.once('close', () => clearTimeout(impatient));
  socket.resume();
  socket.end(`HTTP/1.1 ${status} ${refusals[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Offers connections that want to change their protocol to plugins; nothing, where none would take one. */
export function createUpgrade({ upgrade }: HttpHooks, phase: Phase): Upgrade | undefined {
  if (!isTapped(upgrade)) return undefined;
  return (request, socket, head) => {
    const status = phase.current === 'serving' ? 404 : 503;
    if (status === 404 && upgrade.call(request, socket, head)) return;
    refuseUpgrade(socket, status);
  };
}
