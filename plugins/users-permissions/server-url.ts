import type { ServerConfig } from '../../core';

/** Addresses to listen at that people know by another name. */
const local = ['0.0.0.0', '::', '127.0.0.1', '::1'];

/** The address under which the world reaches the service, by its configuration alone; without a slash at its end. */
export function serverUrl({ url, host, port }: Pick<ServerConfig, 'url' | 'host' | 'port'>): string {
  const reached = local.includes(host) ? 'localhost' : host;
  return (url || `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`).replace(/\/+$/, '');
}
