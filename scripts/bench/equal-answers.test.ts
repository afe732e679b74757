import { floor, heddle } from './candidates';
import { refuseUnequalFloor } from './equal-answers';

afterEach(() => jest.restoreAllMocks());

test('where the second service does not start, the first one is stopped', async () => {
  const stop = jest.fn(async () => undefined);
  jest.spyOn(heddle, 'start').mockResolvedValue({ url: '', pid: 0, startUp: 0, headers: () => ({}), stop });
  jest.spyOn(floor, 'start').mockRejectedValue(new Error('the floor did not start'));
  const place = { client: 'sqlite', name: '', folder: '' } as const;
  const filled = { articles: [], authors: [], categories: [], users: [] };
  await expect(refuseUnequalFloor(place, [], filled)).rejects.toThrow('the floor did not start');
  expect(stop).toHaveBeenCalledTimes(1);
});
