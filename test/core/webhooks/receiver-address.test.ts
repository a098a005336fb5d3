import { checkedAddresses, mayConnect, receiverFault } from '../../../core/webhooks/receiver-address.ts';

const words = (text: string) => text.trim().split(/\s+/);

const [deployed, local] = [{ isLocal: false }, { isLocal: true }];

const taken = words(`
  https://hooks.example.com/ https://hooks.example.com:8443/a?b=c https://93.184.215.14/
  https://[2606:4700::1111]/ https://xn--bcher-kva.example/ https://example.com./
`);
const onThisMachine = words(`
  http://hooks.example.com/
  https://localhost/ http://localhost:3000/ http://127.0.0.1/ http://127.1/ https://2130706433/
  https://0x7f000001/ https://0177.0.0.1/ https://[::1]/ https://[::ffff:127.0.0.1]/
  https://[::ffff:7f00:1]/ https://localhost./
`);
const refused = [
  ...words(`
    https://0.0.0.0/ https://10.0.0.1/ https://10.255.255.255/ https://100.64.0.1/ https://100.127.255.254/
    https://169.254.169.254/latest/meta-data/ https://169.254.170.2/ https://172.16.0.1/
    https://172.31.255.255/ https://192.0.0.8/ https://192.0.2.1/ https://192.88.99.1/ https://192.168.1.1/
    https://198.18.0.1/ https://198.51.100.7/ https://203.0.113.9/ https://224.0.0.1/
    https://255.255.255.255/ https://0xa9fea9fe/ https://2852039166/ https://[::]/ https://[::10.0.0.1]/
    https://[::ffff:10.0.0.1]/ https://[::ffff:169.254.169.254]/ https://[::ffff:a9fe:a9fe]/
    https://[64:ff9b::a9fe:a9fe]/ https://[64:ff9b:1::a00:1]/ https://[100::1]/ https://[2001::1]/
    https://[2001:db8::1]/ https://[2002:a00:1::1]/ https://[3fff::1]/ https://[5f00::1]/ https://[fc00::1]/
    https://[fd00:ec2::254]/ https://[fe80::1]/ https://[fec0::1]/ https://[ff02::1]/
    https://metadata.google.internal/ https://printer.local/ https://intranet/ https://db.corp/
    https://x.localhost/ https://127.0.0.1.nip.io.internal/
    ftp://hooks.example.com/ https://user@hooks.example.com/ https://user:secret@hooks.example.com/
    https:hooks.example.com hooks.example.com
  `),
  'http://localhost:9/\r\nX-One: 1',
  'https://hooks.example.com/\tone',
  `https://hooks.example.com/${'a'.repeat(2048)}`,
  ...['\u200b', '\u00a0', '\ufeff'].map((end) => `https://hooks.example.com/one${end}`),
  '',
];

test.each(taken)('%s may be a receiver', (url) => {
  expect(receiverFault(url, deployed)).toBeUndefined();
});

test.each(onThisMachine)('%s may be a receiver only of the local stack', (url) => {
  expect(receiverFault(url, deployed)).toBeDefined();
  expect(receiverFault(url, local)).toBeUndefined();
});

test.each(refused)('%s may be no receiver', (url) => {
  expect(receiverFault(url, deployed)).toBeDefined();
  expect(receiverFault(url, local)).toBeDefined();
});

const literals = (urls: readonly string[]) =>
  urls
    .map((url) => URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? '')
    .filter((host) => /^[\d.]+$|:/.test(host));

test('connections go to the same addresses, whatever name led there', () => {
  expect(literals(taken).filter((address) => !mayConnect(address, deployed))).toEqual([]);
  const bad = literals([...refused, ...onThisMachine]);
  expect(bad.length).toBeGreaterThan(40);
  expect(bad.filter((address) => mayConnect(address, deployed))).toEqual([]);
  expect(literals(onThisMachine).filter((address) => !mayConnect(address, local))).toEqual([]);
  expect(literals(refused).filter((address) => mayConnect(address, local))).toEqual([]);
  expect(['', 'localhost', 'fe80::1%eth0'].filter((one) => mayConnect(one, local))).toEqual([]);
});

test('one private address among those of a name refuses the name', async () => {
  const resolve = async () => [
    { address: '93.184.215.14', family: 4 },
    { address: '10.0.0.1', family: 4 },
  ];
  await expect(checkedAddresses('hooks.example.com', resolve, deployed)).rejects.toThrow(
    'does not lead to a public address',
  );
  await expect(checkedAddresses('hooks.example.com', async () => [], deployed)).rejects.toThrow(
    'does not lead to a public address',
  );
});
