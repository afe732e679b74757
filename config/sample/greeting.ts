import { join, relative } from 'node:path';

/** Commands to copy, once the sample application listens. */
export function greeting(url: string, dataDir: string): string {
  const file = join(relative(process.cwd(), dataDir) || '.', 'secrets', 'sample-token');
  return `
Heddle serves its sample application. Everyone may read:

  curl -g '${url}/api/articles'
  curl -g '${url}/api/articles?filters[level]=beginner&sort=minutes:desc&fields=title,minutes'
  curl -g '${url}/api/articles?filters[title][$containsi]=loom&pagination[pageSize]=2'
  curl -g '${url}/api/categories'
  curl -g '${url}/api/about'

The token in ${file} may write:

  curl -g '${url}/api/categories' -H "Authorization: Bearer $(cat '${file}')" \\
    -H 'Content-Type: application/json' -d '{"data":{"name":"Dyeing","slug":"dyeing"}}'
`;
}
