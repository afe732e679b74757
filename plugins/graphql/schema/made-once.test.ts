import { ProjectError, problem } from '../../../core';
import { madeOnce, servingOnce } from './made-once';

const alike = problem('schema.json', 'makes "Int" twice.', 'Rename it.');

test('it is made once, also where that fails', () => {
  const make = jest.fn(() => ({}));
  const once = madeOnce(make, []);
  expect(once()).toBe(once());
  expect(make).toHaveBeenCalledTimes(1);
  const failing = jest.fn(() => {
    throw new TypeError('oh');
  });
  const failed = madeOnce(failing, []);
  expect(failed).toThrow('oh');
  expect(failed).toThrow('oh');
  expect(failing).toHaveBeenCalledTimes(1);
});

test('what is called alike is to blame, where it is not made', () => {
  const failing = (): never => {
    throw new TypeError('oh');
  };
  expect(madeOnce(failing, [alike])).toThrow(new ProjectError([alike]));
  expect(() => madeOnce(() => 'made', [alike])()).not.toThrow();
});

test('requests hear nothing of starting', () => {
  const refusing = servingOnce(() => {
    throw new ProjectError([alike]);
  });
  expect(refusing).toThrow(
    /^nothing is answered over GraphQL, whose schema can't be made:\n- schema\.json: makes "Int" twice\. Rename it\.$/,
  );
  const failing = servingOnce(() => {
    throw new TypeError('oh');
  });
  expect(failing).toThrow(TypeError);
});
