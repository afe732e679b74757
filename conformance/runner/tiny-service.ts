import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** A content service of a few lines, so that the runner's tests have something to run against. */
export interface TinyService {
  listener: RequestListener;
  /** What is stored, by path. */
  documents: Map<string, Record<string, unknown>>;
  requests: { method: string; url: string; headers: IncomingMessage['headers'] }[];
}

const collections = new Set(
  ['articles', 'authors', 'categories', 'products', 'profiles', 'restaurants', 'tags'].map((name) => `/api/${name}`),
);

function dataIn(body: string): Record<string, unknown> | undefined {
  try {
    return body ? (JSON.parse(body).data ?? {}) : {};
  } catch {
    return undefined;
  }
}

export function tinyService(): TinyService {
  const documents: TinyService['documents'] = new Map();
  const requests: TinyService['requests'] = [];
  let made = 0;

  const reply = (response: ServerResponse, status: number, body?: unknown) => {
    response.statusCode = status;
    if (body !== undefined) response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };
  const failure = (status: number, name: string) => ({
    data: null,
    error: { status, name, message: name, details: {} },
  });

  const answer = (method: string, path: string, data: Record<string, unknown>, response: ServerResponse) => {
    if (path === '/_health') return reply(response, 204);
    if (path === '/graphql') return reply(response, 405, failure(405, 'MethodNotAllowedError'));
    const found = documents.get(path);
    if (method === 'GET' && collections.has(path)) return reply(response, 200, { data: [], meta: {} });
    if (method === 'POST') {
      made += 1;
      const document = { id: made, documentId: `tiny${made}`.padEnd(24, '0'), ...data };
      documents.set(`${path}/${document.documentId}`, document);
      return reply(response, 201, { data: document, meta: {} });
    }
    if (method === 'DELETE') {
      documents.delete(path);
      return reply(response, 204);
    }
    if (method === 'PUT') {
      documents.set(path, { documentId: 'single'.padEnd(24, '0'), ...found, ...data });
      return reply(response, 200, { data: documents.get(path), meta: {} });
    }
    return found
      ? reply(response, 200, { data: found, meta: {} })
      : reply(response, 404, failure(404, 'NotFoundError'));
  };

  return {
    documents,
    requests,
    listener: (request, response) => {
      const { method = 'GET', url = '/' } = request;
      requests.push({ method, url, headers: request.headers });
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        const data = dataIn(body);
        if (data) answer(method, url.split('?')[0] as string, data, response);
        else reply(response, 400, failure(400, 'BadRequestError'));
      });
    },
  };
}
