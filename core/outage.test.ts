import { createOutage } from './outage';

test('what fails for a while is told once, and its end once, with the reason by its code where it has one', () => {
  const told: unknown[] = [];
  const tell = (fields: object, message: string) => void told.push([fields, message]);
  const outage = createOutage({ info: tell, warn: tell }, 'begun', 'over');
  outage.worked();
  expect(told).toEqual([]);
  outage.failed(Object.assign(new Error('with a secret'), { code: 'ECONNREFUSED' }));
  outage.failed(new Error('again'));
  outage.worked();
  outage.worked();
  outage.failed(new Error('gone'));
  expect(told).toEqual([
    [{ reason: 'ECONNREFUSED' }, 'begun'],
    [{}, 'over'],
    [{ reason: 'gone' }, 'begun'],
  ]);
});
