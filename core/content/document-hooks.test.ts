import { validationError } from '../errors';
import { asJson } from './answer-bytes';
import { operationOn, refusal } from './content.fixture';
import type { ShownDocument } from './hooks';
import type { WriteOperation } from './operation';
import { issue, shop } from './shop.fixture';

describe('hooks', () => {
  /** Writes down what is called, in order. */
  function watched() {
    const content = shop();
    const { hooks } = content;
    const calls: string[] = [];
    const passed = <T>(call: string, value: T): T => {
      calls.push(call);
      return value;
    };
    hooks.params.tap('test', (operation) => passed(`params ${operation.action}`, operation));
    hooks.data.tapPromise('test', async (data) => passed('data', data));
    hooks.validate.tapPromise('test', async () => void calls.push('validate'));
    hooks.plan.tap('test', (plan) => passed('plan', plan));
    hooks.execute.tapPromise('test', async () => passed('execute', undefined));
    hooks.result.tapPromise('test', async (documents) => passed('result', documents));
    hooks.written.tapPromise('test', async () => void calls.push('written'));
    hooks.committed.tapPromise('test', async () => void calls.push('committed'));
    const take = () => calls.splice(0);
    return { ...content, take };
  }

  test('are called in the order of an operation, a plan once per shape', async () => {
    const { things, take } = watched();
    const read = ['params findOne', 'plan', 'execute', 'result'];
    const again = ['params findOne', 'execute', 'result'];
    const { documentId } = await things.create({ name: 'a' });
    expect(take()).toEqual(['params create', 'data', 'validate', 'written', ...read, 'committed']);
    await things.update(String(documentId), { name: 'b' });
    expect(take()).toEqual(['params update', 'data', 'validate', 'written', ...again, 'committed']);
    await things.findOne(String(documentId));
    expect(take()).toEqual(again);
    await things.find();
    expect(take()).toEqual(['params find', 'plan', 'execute', 'result']);
    await things.delete(String(documentId));
    expect(take()).toEqual(['params delete', 'params find', 'plan', 'execute', 'result', 'written', 'committed']);
    await things.delete(String(documentId));
    expect(take()).toEqual(['params delete']);
  });

  test('the reading of a new document is the last of its write, unless a tap may do more', async () => {
    const told = (tap?: (content: ReturnType<typeof shop>) => void) => {
      const content = shop();
      tap?.(content);
      const { prepare } = content.store;
      const last: (boolean | undefined)[] = [];
      content.store.prepare = (plan) => {
        const { run, ...others } = prepare(plan);
        return {
          ...others,
          run(values, transaction, isLast) {
            if (transaction) last.push(isLast);
            return run(values, transaction, isLast);
          },
        };
      };
      return { last, things: content.things };
    };
    const taps: ((content: ReturnType<typeof shop>) => void)[] = [
      ({ hooks }) => hooks.result.tapPromise('test', async (documents) => documents),
      ({ hooks }) => hooks.execute.tapPromise('test', async () => undefined),
      ({ hooks }) => hooks.written.tapPromise('test', async ({ beside }) => beside?.(Promise.resolve())),
    ];
    const plain = told();
    const { documentId } = await plain.things.create({ name: 'a' });
    await plain.things.update(String(documentId), { name: 'b' });
    // What was there before may be more than can be answered.
    expect(plain.last).toEqual([true, false]);
    for (const tap of taps) {
      const tapped = told(tap);
      await tapped.things.create({ name: 'a' });
      expect(tapped.last).toEqual([false]);
    }
  });

  test('a refused write is neither written nor committed', async () => {
    const { things, take } = watched();
    await refusal(things.create({ name: 5 }));
    expect(take()).toEqual(['params create', 'data', 'validate']);
    await refusal(things.create({ nope: 5 }));
    expect(take()).toEqual(['params create']);
  });

  test('params can change and stop an operation', async () => {
    const { hooks, things } = shop();
    for (const name of ['a', 'b']) await things.create({ name });
    hooks.params.tap('test', (operation) => ({
      ...operation,
      query: { ...operation.query, filters: { name: 'b' } },
    }));
    expect(await things.find()).toMatchObject([{ name: 'b' }]);
    hooks.params.tap('stop', () => {
      throw validationError('closed');
    });
    expect((await refusal(things.find())).message).toBe('closed');
    expect((await refusal(things.create({ name: 'a' }))).message).toBe('closed');
  });

  test('data can change and stop a write', async () => {
    const { hooks, things } = shop();
    hooks.data.tapPromise('test', async (data) => {
      if (data['name'] === 'bad') throw validationError('no');
      return { ...data, sku: 'by hook' };
    });
    expect(await things.create({ name: 'a' })).toMatchObject({ sku: 'by hook' });
    expect((await refusal(things.create({ name: 'bad' }))).message).toBe('no');
  });

  test('validate sees the values and adds issues to those of the kinds', async () => {
    const { hooks, things, type } = shop();
    hooks.validate.tapPromise('test', async ({ values, issues, transaction }) => {
      expect(await transaction.rows(type, {})).toEqual([]);
      if (values.get('rating') === 4) issues.push(issue('rating', 'no four') as never);
    });
    expect((await refusal(things.create({ rating: '4' }))).details).toEqual({
      errors: [issue('name', 'name must be defined.'), issue('rating', 'no four')],
    });
    expect(await things.find()).toEqual([]);
  });

  test('plan narrows every read of a shape', async () => {
    const { hooks, things } = shop();
    for (const name of ['a', 'b']) await things.create({ name });
    hooks.plan.tap('test', (plan) => ({ ...plan, select: plan.select.filter(({ name }) => name === 'name') }));
    expect(await things.find({ sort: 'name' })).toEqual([{ name: 'a' }, { name: 'b' }]);
  });

  test('execute can answer instead of the store', async () => {
    const { hooks, things } = shop();
    await things.create({ name: 'a' });
    hooks.execute.tapPromise('test', async ({ operation, plan, values }) => {
      expect(values).toHaveLength(plan.bindings.length);
      return operation.action === 'find' ? { json: asJson([{ name: 'kept' }]), count: 1 } : undefined;
    });
    expect(await things.find()).toEqual([{ name: 'kept' }]);
    expect(await things.create({ name: 'b' })).toMatchObject({ name: 'b' });
  });

  test('execute is told what is asked, the same by everyone who may see the same', async () => {
    const { hooks, things, documents, type } = shop();
    const asked: (string | undefined)[] = [];
    hooks.execute.tapPromise('test', async ({ question }) => void asked.push(question));
    const { documentId } = await things.create({ name: 'a' });
    expect(asked.splice(0)).toEqual([undefined]);
    const of = async (rights: string, id: unknown) =>
      documents.read({ ...operationOn(type, {}, 'findOne'), documentId: String(id), rights });
    await Promise.all([of('all', documentId), of('all', documentId)]);
    await of('all', 'other');
    await of('few', documentId);
    const [first, again, ...others] = asked;
    expect(first).toEqual(expect.any(String));
    expect(again).toBe(first);
    expect(new Set([first, ...others]).size).toBe(3);
    asked.length = 0;
    await things.find({ filters: { name: Array.from({ length: 500 }, () => 'a fairly long name') } });
    expect(asked).toEqual([undefined]);
  });

  test('result changes what is shown, with the count', async () => {
    const { hooks, things, documents, type } = shop();
    await things.create({ name: 'a' });
    await things.create({ name: 'b' });
    const shout = (document: ShownDocument): ShownDocument => ({
      ...document,
      name: String(document['name']).toUpperCase(),
    });
    hooks.result.tapPromise('test', async (shown) => shown.map(shout).filter(({ name }) => name !== 'A'));
    expect(await things.find()).toMatchObject([{ name: 'B' }]);
    const answer = await documents.read(operationOn(type, { window: () => ({ start: 0, limit: 9, total: true }) }));
    expect(answer).toMatchObject({ count: 1, total: 2 });
  });

  test.each(['validate', 'written'] as const)('an error in %s undoes the write', async (hook) => {
    const { hooks, things, type } = shop();
    const { documentId } = await things.create({ name: 'a', sku: 'x' });
    const before = await things.find();
    const committed = jest.fn(async () => undefined);
    hooks.committed.tapPromise('test', committed);
    hooks[hook].tapPromise('test', async (given: object, transaction?: unknown) => {
      const own = (transaction ?? (given as { transaction: unknown }).transaction) as {
        insert(...args: unknown[]): unknown;
      };
      await own.insert(type, [{ documentId: 'ghost', name: 'ghost' }]);
      throw new Error('late');
    });
    for (const work of [things.create({ name: 'b' }), things.update(String(documentId), { name: 'c', sku: 'y' })])
      expect((await refusal(work)).message).toBe('late');
    if (hook === 'written') expect((await refusal(things.delete(String(documentId)))).message).toBe('late');
    expect(await things.find()).toEqual(before);
    expect(committed).not.toHaveBeenCalled();
  });

  describe('work beside the reading of the answer', () => {
    /** A shop in which a write begins such work, and one in which it fails beside that. */
    function working(work: () => Promise<void>, failing = false) {
      const { hooks, things } = shop();
      const calls: string[] = [];
      hooks.written.tapPromise('test', async ({ beside }) => {
        beside?.(work().finally(() => calls.push('done')));
        if (failing) throw validationError('early');
      });
      hooks.execute.tapPromise('test', async () => void calls.push('read'));
      hooks.committed.tapPromise('test', async () => void calls.push('committed'));
      return { hooks, things, calls };
    }
    const later = () => new Promise<void>((resolve) => setImmediate(resolve));

    test('is not waited for before that, but before the commit', async () => {
      const { things, calls } = working(later);
      await things.create({ name: 'a' });
      expect(calls).toEqual(['read', 'done', 'committed']);
    });

    test('undoes the write if it fails', async () => {
      const { things, calls } = working(async () => {
        await later();
        throw validationError('late');
      });
      expect((await refusal(things.create({ name: 'a' }))).message).toBe('late');
      expect(calls).toEqual(['read', 'done']);
      expect(await things.find()).toEqual([]);
    });

    test('may fail while another tap takes its time', async () => {
      const unhandled = jest.fn();
      process.on('unhandledRejection', unhandled);
      const { hooks, things } = working(() => Promise.reject(validationError('soon')));
      hooks.written.tapPromise('slow', later);
      expect((await refusal(things.create({ name: 'a' }))).message).toBe('soon');
      process.off('unhandledRejection', unhandled);
      expect(unhandled).not.toHaveBeenCalled();
    });

    test('is refused once the tap is done', async () => {
      const { hooks, things } = shop();
      let late: ((work: Promise<unknown>) => void) | undefined;
      hooks.written.tapPromise('test', async ({ beside }) => {
        late = beside;
      });
      await things.create({ name: 'a' });
      expect(() => late!(later())).toThrow('told already');
    });

    test('is over before an error of somebody else is told', async () => {
      const { things, calls } = working(later, true);
      expect((await refusal(things.create({ name: 'a' }))).message).toBe('early');
      expect(calls).toEqual(['done']);
    });
  });

  test('written runs inside the transaction and sees what was written', async () => {
    const { hooks, things, type } = shop();
    const seen: unknown[] = [];
    hooks.written.tapPromise('test', async ({ documentId, operation }, transaction) => {
      const [row] = await transaction.rows(type, { documentId });
      seen.push([operation.action, row?.['name']]);
    });
    const { documentId } = await things.create({ name: 'a' });
    await things.update(String(documentId), { name: 'b' });
    await things.delete(String(documentId));
    expect(seen).toEqual([
      ['create', 'a'],
      ['update', 'b'],
      ['delete', undefined],
    ]);
  });

  test('a write of a tap in committed is a write of its own', async () => {
    const { hooks, things } = shop();
    hooks.committed.tapPromise('test', async ({ operation }) => {
      if ((operation as WriteOperation).data?.['name'] === 'first') await things.create({ name: 'second' });
    });
    await things.create({ name: 'first' });
    expect(await things.find({ sort: 'id' })).toMatchObject([{ name: 'first' }, { name: 'second' }]);
  });
});
