import { heddle } from './candidates';
import { type Author, type Filled, makeContent } from './content';
import type { Place } from './databases';

async function sent(
  url: string,
  headers: Readonly<Record<string, string>>,
  method: string,
  path: string,
  body: unknown,
): Promise<unknown> {
  const answer = await fetch(url + path, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return JSON.parse(text) as unknown;
}

/** One pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

/** Fills an empty database over HTTP, as whoever uses the service would. */
export async function fill(place: Place, articles: number): Promise<Filled> {
  const service = await heddle.start(place);
  const headers = service.headers('token');
  async function authenticated(): Promise<number> {
    const path = '/api/users-permissions/roles';
    const answer = await fetch(service.url + path, { headers });
    if (!answer.ok) throw new Error(`GET ${path} answered ${answer.status}: ${await answer.text()}`);
    const { roles } = (await answer.json()) as { roles: { id: number; type: string }[] };
    return roles.find(({ type }) => type === 'authenticated')!.id;
  }
  const author: Author = {
    async create(path, data) {
      const made = await sent(service.url, headers, 'POST', path, { data });
      return (made as { data: { documentId: string } }).data.documentId;
    },
    async put(path, data) {
      await sent(service.url, headers, 'PUT', path, { data });
    },
    async picture(name) {
      const form = new FormData();
      form.set('files', new Blob([png], { type: 'image/png' }), name);
      const answer = await fetch(`${service.url}/api/upload`, { method: 'POST', headers, body: form });
      if (answer.status === 404 || answer.status === 405) return undefined;
      if (!answer.ok) throw new Error(`POST /api/upload answered ${answer.status}: ${await answer.text()}`);
      return ((await answer.json()) as { id: number }[])[0]!.id;
    },
    async user({ identifier, password }) {
      const [username] = identifier.split('@');
      const body = { username, email: identifier, password, confirmed: true, role: await authenticated() };
      await sent(service.url, headers, 'POST', '/api/users', body);
    },
  };
  try {
    return await makeContent(author, articles);
  } finally {
    await service.stop();
  }
}
