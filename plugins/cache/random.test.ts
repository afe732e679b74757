import fc from 'fast-check';
import { client } from '../sql/store/database-app.fixture';
import { type Asked, idOf, makePlace, type Place, type Service } from './cached-app.fixture';
import { answerTo, anyWrite, newWorld, questions } from './random-writes.fixture';

let place: Place;
let cached: readonly Service[];
let plain: Service;

beforeAll(async () => {
  place = await makePlace();
  cached = [await place.start(), await place.start()];
  plain = await place.start(false);
}, 60_000);
afterAll(() => place.remove());

const writers = (): readonly Service[] => [...cached, plain];

/** Runs work over and over until the answer says that it is enough. */
function repeated(work: (round: number) => Promise<void>): () => Promise<void> {
  let isOver = false;
  const running = (async () => {
    for (let round = 0; !isOver; round += 1) await work(round);
  })();
  return async () => {
    isOver = true;
    await running;
  };
}

/** On a server a page and its total are two statements, between which somebody may write, with a cache or without. */
const partsOf = (answer: string): string[] =>
  client === 'sqlite' ? [answer] : answer.split(/(?="meta":|"pageInfo":)/);

interface Heard {
  readonly question: string;
  readonly answer: string;
  /** Writes that had ended when it was asked, and that had begun when it was answered. */
  readonly ended: number;
  readonly begun: number;
}

test('whatever is written by whom, every answer is as an application without the cache answers meanwhile', async () => {
  const world = newWorld();
  const runs = { numRuns: Number(process.env['RUNS'] ?? 2), endOnFailure: true };
  const history = fc.array(anyWrite, { minLength: 10, maxLength: 20 });
  const asked = fc.asyncProperty(history, fc.infiniteStream(fc.nat(questions.length - 1)), async (writes, drawn) => {
    const truth: Map<string, string>[] = [];
    const heard: Heard[] = [];
    let [begun, ended] = [0, 0];
    const look = async () => {
      const answers = new Map<string, string>();
      for (const question of questions) answers.set(question, await answerTo(plain, question));
      truth.push(answers);
    };
    await look();
    const stops = [...cached, ...cached].map((service) =>
      repeated(async () => {
        const question = questions[drawn.next().value as number]!;
        const before = ended;
        heard.push({ question, ended: before, answer: await answerTo(service, question), begun });
      }),
    );
    for (const { run, by } of writes) {
      begun += 1;
      await run(writers()[by]!, world);
      ended += 1;
      await look();
    }
    await Promise.all(stops.map((stop) => stop()));
    expect(heard.length).toBeGreaterThan(10);
    for (const { question, answer, ended: from, begun: to } of heard) {
      const possible = truth.slice(from, to + 1).map((answers) => partsOf(answers.get(question)!));
      for (const [at, part] of partsOf(answer).entries()) expect(possible.map((parts) => parts[at])).toContain(part);
    }
  });
  await fc.assert(asked, runs);
  for (const service of cached) expect(service.counts().hits).toBeGreaterThan(5);
}, 300_000);

/** Which application each round of writing goes to: two of the three keep answers, and look at what the others write. */
const turns: readonly [string, (round: number) => number][] = [
  ['all in turn', (round) => round % 3],
  ['one that keeps answers', () => 0],
  ['one that does not', () => 2],
];

test.each(turns)(
  'of many who write at once over %s, answers show no less than was told to them',
  async (how, turn) => {
    const size = 4;
    const numbers = Array.from({ length: size }, (_, index) => index);
    const made = async (path: string, data: (index: number) => object): Promise<string[]> => {
      const ids: string[] = [];
      for (const index of numbers) ids.push(idOf(await plain.send('post', path, data(index))));
      return ids;
    };
    const authors = await made('/api/authors', () => ({ name: how, bio: '0' }));
    const articles = await made('/api/articles', (index) => ({
      title: `Counted ${index}`,
      views: '0',
      author: authors[0],
    }));
    /** By document: the number that its writer was last told of, and the last that it began to write. */
    const told = new Map([...authors, ...articles].map((id) => [id, { ended: 0, begun: 0 }]));
    const write = (id: string, send: (service: Service, number: number) => Promise<Asked>) =>
      repeated(async (round) => {
        const number = told.get(id)!;
        number.begun += 1;
        const { status, text } = await send(writers()[turn(round)]!, number.begun);
        if (status !== 200) throw new Error(text);
        number.ended = number.begun;
      });
    const paths = [
      `/api/articles?filters[author][name]=${how}&populate=author&pagination[pageSize]=50`,
      ...articles.map((id) => `/api/articles/${id}?populate=author`),
    ];
    let looked = 0;
    const read = (service: Service) =>
      repeated(async (round) => {
        const before = new Map([...told].map(([id, { ended }]) => [id, ended]));
        const { body } = await service.ask(paths[round % paths.length]!);
        for (const { documentId, views, author } of [body.data].flat()) {
          for (const [id, shown] of [
            [documentId, Number(views)],
            [author.documentId, Number(author.bio)],
          ] as const) {
            expect(shown).toBeGreaterThanOrEqual(before.get(id)!);
            expect(shown).toBeLessThanOrEqual(told.get(id)!.begun);
          }
          expect(author.documentId).toBe(authors[Number(views) % size]);
          looked += 1;
        }
      });
    const stops = [
      ...authors.map((id) =>
        write(id, (service, number) => service.send('put', `/api/authors/${id}`, { bio: `${number}` })),
      ),
      ...articles.map((id) =>
        write(id, (service, number) =>
          service.send('put', `/api/articles/${id}`, { views: `${number}`, author: authors[number % size] }),
        ),
      ),
      ...[...cached, ...cached, ...cached].map(read),
    ];
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await Promise.all(stops.map((stop) => stop()));
    expect(looked).toBeGreaterThan(20);
  },
  60_000,
);
