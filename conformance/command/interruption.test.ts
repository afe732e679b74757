import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { tinyService } from '../runner/tiny-service';

const launcher = join(__dirname, '../../scripts/heddle');

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends a run with 2, and what it made is gone', async (signal) => {
  const service = tinyService();
  let made = 0;
  let wasTold = false;
  const server = createServer((request, response) => {
    if (request.method === 'POST' && request.url?.startsWith('/api/products')) made += 1;
    if (made === 3 && !wasTold) {
      wasTold = true;
      // As terminals do through npm.
      child.kill(signal);
      child.kill(signal);
    }
    service.listener(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const child = spawn(launcher, ['conform', '--url', url, '--token', 't', '--only', 'writes'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = await once(child, 'exit');
  server.close();
  expect(code).toBe(2);
  expect(output).toContain('Interrupted: taking away what the run made.');
  expect(made).toBeGreaterThanOrEqual(3);
  expect(service.documents.size).toBe(0);
});
