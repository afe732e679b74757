import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Target, WireRequest } from './target';

/** What logs in and out, confirms and hands over: a second request would find that the first was there. */
const oneTime = /^\/api\/(auth|connect)\//;

/** Whether a request only reads, so that it may be asked twice. */
function reads({ method, path, body }: WireRequest): boolean {
  if (oneTime.test(path)) return false;
  if (method === 'GET' || method === 'HEAD') return true;
  return method === 'POST' && path.startsWith('/graphql') && !/mutation|subscription/.test(String(body));
}

/** What of an answer comes from its documents. */
const compared = ({ status, headers, text }: Answer): string =>
  [status, headers['content-type'], headers['content-length'], headers['etag'], text].join('\n');

/** How long another process may take to see what changed, and work to be done that an answer does not wait for. */
const delay = 1_000;

/** A target whose every read is asked of another one too, which must answer the same, byte for byte. */
export function comparedTarget(target: Target, other: Target, onCompared: () => void): Target {
  return {
    ...target,
    async send(request, signal) {
      const answer = await target.send(request, signal);
      if (!reads(request)) return answer;
      onCompared();
      if (compared(answer) === compared(await other.send(request, signal))) return answer;
      await sleep(delay);
      const later = await target.send(request, signal);
      const [ours, theirs] = [later, await other.send(request, signal)].map(compared);
      if (ours === theirs) return later;
      throw new Error(`${request.method} ${request.path} is answered in two ways:\n${ours}\n${theirs}`);
    },
  };
}
