import { heddle, withService } from './candidates';
import { type Author, type Filled, makeContent } from './content';
import type { Place } from './databases';
import type { Running } from './service';

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

/** Writes over HTTP, as whoever uses the service would. */
function authorAt(service: Running): Author {
  const headers = service.headers('token');
  async function authenticated(): Promise<number> {
    const path = '/api/users-permissions/roles';
    const answer = await fetch(service.url + path, { headers });
    if (!answer.ok) throw new Error(`GET ${path} answered ${answer.status}: ${await answer.text()}`);
    const { roles } = (await answer.json()) as { roles: { id: number; type: string }[] };
    return roles.find(({ type }) => type === 'authenticated')!.id;
  }
  return {
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
}

/** Fills an empty database. */
export const fill = (place: Place, articles: number): Promise<Filled> =>
  withService(heddle, place, (service) => makeContent(authorAt(service), articles));
