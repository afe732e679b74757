import { failureReport } from './failure-report';

test('of several failures each is reported as it is by itself', () => {
  const [refused, mistaken] = [new Error('The port is taken.'), new TypeError('x is not a function')];
  expect(failureReport(new AggregateError([refused, mistaken], 'two'))).toBe(`The port is taken.\n${mistaken.stack}`);
});

test('a connection that failed with all addresses is told by its code', () => {
  const addresses = ['::1', '127.0.0.1'].map((address) => new Error(`connect ECONNREFUSED ${address}`));
  const failure = Object.assign(new AggregateError(addresses), { code: 'ECONNREFUSED' });
  expect(failureReport(failure)).toBe('AggregateError (ECONNREFUSED)');
});
