import { type Command, patience, startService } from './service';

const node = (script: string): Command => ({
  file: process.execPath,
  args: () => ['-e', script],
  environment: {},
  token: () => 'key',
});

const answering = `require('node:http').createServer((_, answer) => answer.end()).listen(process.env.PORT, '127.0.0.1');`;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

afterEach(() => jest.restoreAllMocks());

test('a command that is not there is told', async () => {
  const nowhere = { ...node(''), file: '/nowhere/start' };
  await expect(startService('the peer', nowhere)).rejects.toThrow(/the peer did not start:\n.*ENOENT/);
});

test('what ends before it answers is told with what it has said', async () => {
  const service = startService('the peer', node(`console.error('no such table'); process.exitCode = 1;`));
  await expect(service).rejects.toThrow('the peer did not start:\nno such table');
});

test('who does not answer is given up', async () => {
  jest.replaceProperty(patience, 'answer', 300);
  await expect(startService('the peer', node('setInterval(() => undefined, 1000);'))).rejects.toThrow('did not start');
});

test('who does not stop is killed after a while', async () => {
  jest.replaceProperty(patience, 'stop', 300);
  const service = await startService('the peer', node(`process.on('SIGTERM', () => undefined); ${answering}`));
  await service.stop();
  expect(isAlive(service.pid)).toBe(false);
});
