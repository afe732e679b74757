import type { Answer, Target } from '../targets/target';
import { type Removal, removalOf, removeRole, removeUser, roles, users } from './made';
import type { Json } from './row';
import { bodyOfAnswer } from './send';
import { pick } from './template';

export interface Seeker {
  target: Target;
  /** A text that stands in what this row, or this run, makes and nowhere else. */
  mark: string;
  ask(method: string, path: string): Promise<Answer>;
}

/** What stands in an answer's list and bears the mark. */
function ours(answer: Answer, place: string, mark: string): Json[] {
  const list = pick(bodyOfAnswer(answer), place);
  return (Array.isArray(list) ? list : []).filter((item) => JSON.stringify(item).includes(mark));
}

/** By number, as users and roles are known. */
async function markedAccounts({ ask, mark }: Seeker, path: string, place: string): Promise<number[]> {
  const answer = await ask('GET', path);
  if (answer.status !== 200) throw new Error(`GET ${path} answered ${answer.status}`);
  return ours(answer, place, mark)
    .map((item) => pick(item, 'id'))
    .filter((id): id is number => typeof id === 'number');
}

async function markedDocuments({ target, mark, ask }: Seeker, path: string): Promise<Removal[]> {
  const versions = target.features.has('draft-publish') ? ['', '&status=draft'] : [''];
  const found = new Set<string>();
  for (const version of versions) {
    const answer = await ask('GET', `${path}?_q=${mark}&pagination[pageSize]=100${version}`);
    for (const document of ours(answer, 'data', mark)) {
      const id = pick(document, 'documentId');
      if (typeof id === 'string') found.add(id);
    }
  }
  return [...found].map((id) => removalOf(path, id, target));
}

const usersMarked = (mark: string): string =>
  `${users}?filters[$or][0][username][$contains]=${mark}&filters[$or][1][email][$contains]=${mark}`;

/** What was made by a POST to the path and bears the mark. */
export async function marked(seeker: Seeker, path: string): Promise<Removal[]> {
  // Roles are listed all, and are told by their name, their type or their description.
  if (path === roles) return (await markedAccounts(seeker, roles, 'roles')).map(removeRole);
  if (path === users) return (await markedAccounts(seeker, usersMarked(seeker.mark), '')).map(removeUser);
  return markedDocuments(seeker, path);
}
