import { createServer, type RequestListener } from 'node:http';
import supertest from 'supertest';
import { commonFeatures, type Feature } from '../runner/row';
import type { Answer, Target, TokenKeys } from './target';

export interface InProcessOptions {
  token?: string | undefined;
  tokens?: TokenKeys | undefined;
  features?: readonly Feature[] | undefined;
}

/** An application in this process. Nobody else talks to it, so single types may be written. */
export function inProcessTarget(listener: RequestListener, options: InProcessOptions = {}): Target {
  return {
    name: 'in process',
    features: new Set(options.features ?? commonFeatures),
    token: options.token,
    tokens: options.tokens,
    exclusive: true,
    async send(request, signal): Promise<Answer> {
      // Made here and not by supertest, which would leave it open after an abort.
      const server = createServer(listener);
      const call = supertest(server)
        [methodOf(request.method)](request.path)
        .set(request.headers)
        .redirects(0)
        .ok(() => true)
        .buffer(true)
        .parse((response, done) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => done(null, Buffer.concat(chunks).toString('utf8')));
        });
      // No arrow expression: an event target would take the thenable it returns for its own and rethrow its rejection.
      const abort = () => {
        call.abort();
      };
      signal.addEventListener('abort', abort, { once: true });
      try {
        const { body } = request;
        // What is JSON already is sent as it stands, and so are the bytes of a form.
        if (typeof body === 'string') call.serialize(String);
        const response = await (body === undefined ? call : call.send(body));
        return {
          status: response.status,
          headers: response.headers as Record<string, string>,
          text: typeof response.body === 'string' ? response.body : '',
        };
      } finally {
        signal.removeEventListener('abort', abort);
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

const methods = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'] as const;

function methodOf(method: string): (typeof methods)[number] {
  const found = methods.find((name) => name === method.toLowerCase());
  if (!found) throw new Error(`The in-process target can't send ${method}.`);
  return found;
}
