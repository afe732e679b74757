import type { IncomingMessage } from 'node:http';

const slash = 47;

/**
 * A client may name the whole address in place of a path, as clients of proxies do, and what reads addresses parts one with
 * an odd host elsewhere than the router does. Afterwards all read the same path.
 */
export function leaveHostOut(request: IncomingMessage): void {
  const { url } = request;
  if (url!.charCodeAt(0) === slash) return;
  const rest = url!.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
  request.url = rest.startsWith('/') || rest === '*' ? rest : `/${rest}`;
}
