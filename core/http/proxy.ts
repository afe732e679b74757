import type { IncomingMessage, RequestListener } from 'node:http';
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { problem, refuseIfAny } from '../kernel/problems';
import type { TrustedProxies } from './settings/server-config';

const forwarded = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-port', 'forwarded'];

function listOf(addresses: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of addresses) {
    const [address = '', bits] = entry.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (!isIPv4(address) && !isIPv6(address)) {
      refuseIfAny([
        problem(
          'config/server',
          `"${entry}" is neither an address nor a network.`,
          'Write it like 10.0.0.1 or 10.0.0.0/8.',
          'proxy',
        ),
      ]);
    }
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

function isListed(list: BlockList, { socket }: IncomingMessage): boolean {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '');
  return address !== '' && list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

/** Forgets what a caller that is no trusted proxy says about where a request came from. */
export function believing(trusted: TrustedProxies, listener: RequestListener): RequestListener {
  if (typeof trusted === 'boolean') return listener;
  const list = listOf(trusted);
  return (request, response) => {
    if (!isListed(list, request)) for (const name of forwarded) delete request.headers[name];
    listener(request, response);
  };
}
