import { serverUrl } from './server-url';

test.each([
  [{ url: 'https://cms.example.org/', host: '0.0.0.0', port: 80 }, 'https://cms.example.org'],
  [{ url: '', host: '127.0.0.1', port: 1337 }, 'http://localhost:1337'],
  [{ url: '', host: '0.0.0.0', port: 1337 }, 'http://localhost:1337'],
  [{ url: '', host: '::', port: 1337 }, 'http://localhost:1337'],
  [{ url: '', host: '2001:db8::7', port: 1337 }, 'http://[2001:db8::7]:1337'],
])('%j is reached at %s', (server, url) => {
  expect(serverUrl(server)).toBe(url);
});
