import { clientAddress } from './client-address';

const from = (remoteAddress: string | undefined, ...ips: string[]): string =>
  clientAddress({ ips, req: { socket: { remoteAddress } } } as never);

test('the connection tells, unless a proxy does', () => {
  expect(from('10.0.0.1')).toBe('10.0.0.1');
  expect(from('::ffff:10.0.0.1')).toBe('10.0.0.1');
  expect(from('10.0.0.1', '203.0.113.9')).toBe('203.0.113.9');
  expect(from('10.0.0.1', '1.2.3.4', '203.0.113.9')).toBe('203.0.113.9');
  expect(from(undefined)).toBe('');
});

test('a port of the client is no part of its address', () => {
  expect(from('10.0.0.1', '203.0.113.9:4711')).toBe('203.0.113.9');
  expect(from('10.0.0.1', '[2001:db8::7]:4711')).toBe(from('10.0.0.1', '2001:db8::8'));
});

test('what is no address does not count', () => {
  for (const told of ['', 'unknown', '_hidden', '1.2.3', '203.0.113.9x'])
    expect(from('10.0.0.1', told)).toBe('10.0.0.1');
});

test('all addresses of an IPv6 network are one client, however they are written', () => {
  const network = '2001:db8:0:7';
  for (const address of [
    '2001:db8:0:7::1',
    '2001:DB8:0:7:ffff::',
    '2001:0db8:0000:0007:1:2:3:4',
    '2001:db8:0:7::1%eth0',
  ])
    expect(from(address)).toBe(network);
  expect(from('2001:db8:0:8::1')).not.toBe(network);
  expect(from('::1')).toBe('0:0:0:0');
  expect(from('fe80::1')).toBe('fe80:0:0:0');
});
