import { isIP, isIPv4 } from 'node:net';
import type { Context } from 'koa';

/** An address without what some proxies write around it: a port, brackets. */
const bare = (text: string): string =>
  text
    .trim()
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');

/** All sixteen-bit groups of an IPv6 address. */
function groups(address: string): string[] {
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array<string>(gap).fill('0'), ...after];
}

/** Whoever has one IPv6 address mostly has all those of its network. */
const network = (address: string): string =>
  groups(address.toLowerCase())
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');

/**
 * Where a request comes from, as far as nobody can choose it: what the nearest trusted proxy says, else the address of
 * the connection.
 */
export function clientAddress({ ips, req }: Pick<Context, 'ips' | 'req'>): string {
  const connection = bare(req.socket.remoteAddress ?? '');
  const told = bare(ips.at(-1) ?? '');
  const address = isIP(told) ? told : connection;
  return isIP(address) && !isIPv4(address) ? network(address) : address;
}
