import type { IncomingMessage, RequestListener } from 'node:http';
import { BlockList, isIP, isIPv4 } from 'node:net';
import { problem, refuseIfAny } from '../kernel/problems';
import type { TrustedProxies } from './settings/server-config';

const forwarded = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-port', 'forwarded'];

function listOf(addresses: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of addresses) {
    const [address = '', bits, ...more] = entry.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128));
    if (isIP(address) === 0 || !isNetwork || more.length > 0) {
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

function isListed(list: BlockList, told: string): boolean {
  const address = told.replace(/^::ffff:(?=\d+\.)/, '');
  return isIP(address) !== 0 && list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

/** Each proxy adds at the end whom it heard from: the last that is no proxy is the client, and what stands before its word. */
function forgetClientsWord(list: BlockList, { headers }: IncomingMessage): void {
  const told = headers['x-forwarded-for'];
  if (typeof told !== 'string') return;
  const addresses = told.split(',').map((address) => address.trim());
  const client = addresses.findLastIndex((address) => !isListed(list, address));
  headers['x-forwarded-for'] = addresses[Math.max(0, client)];
}

/** Forgets what a caller that is no trusted proxy says about where a request came from. */
export function believing(trusted: TrustedProxies, listener: RequestListener): RequestListener {
  if (typeof trusted === 'boolean') return listener;
  const list = listOf(trusted);
  return (request, response) => {
    if (isListed(list, request.socket.remoteAddress ?? '')) forgetClientsWord(list, request);
    else for (const name of forwarded) delete request.headers[name];
    listener(request, response);
  };
}
