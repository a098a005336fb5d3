import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dynoxide } from '../engine/dynoxide.ts';
import { engineClient } from '../engine/engine-client.ts';
import { type Stop, startTables, type TableOptions } from '../table-services.ts';
import { aFolder, aTable, key } from './tables/table.ts';

const { LOCAL_WRITER: _, ...environment } = process.env;
beforeEach(() => {
  process.env = { ...environment };
});

const onLinux = process.platform === 'linux' ? test : test.skip;

/** Bytes that a process has written anywhere. */
const writtenBy = (pid: number): number =>
  Number(/wchar: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);

/** The engine that serves an address. Shells that watch it name the address, too. */
const processAt = (endpoint: string): number => {
  const { hostname, port } = new URL(endpoint);
  const command = ['dynoxide', '--host', hostname, '--port', port].join('\0');
  const isEngine = (name: string) => {
    const file = `/proc/${name}/cmdline`;
    if (!/^\d+$/.test(name) || !existsSync(file)) return false;
    const text = readFileSync(file, 'utf8');
    return !text.startsWith('sh\0') && text.includes(command);
  };
  return Number(readdirSync('/proc').find(isEngine));
};

/** Who makes writes of a form that the engine knows. */
const writerOf = async (options: Omit<TableOptions, 'log'>): Promise<string> => {
  const started: Stop[] = [];
  const assembly = { functions: [], tables: [aTable('Served')] };
  try {
    const tables = await startTables(assembly as never, { ...options, log: () => undefined }, started);
    const process = processAt(tables.engineEndpoint);
    const client = engineClient(tables.endpoint);
    const put = () => client.call('PutItem', { TableName: 'Served', Item: key('a') });
    await put();
    const before = writtenBy(process);
    for (let i = 0; i < 5; i += 1) await put();
    client.close();
    return writtenBy(process) > before ? 'engine' : 'gateway';
  } finally {
    for (const stop of started.reverse()) await stop();
  }
};

onLinux.each<[string, string, Partial<TableOptions>, Readonly<Record<string, string>>]>([
  ['gateway', 'a folder', { data: 'any' }, {}],
  ['engine', 'a folder and LOCAL_WRITER=engine', { data: 'any' }, { LOCAL_WRITER: 'engine' }],
  ['engine', 'no folder', {}, {}],
  ['engine', 'another engine', { data: 'any', engine: dynoxide() }, {}],
])('the %s makes plain writes with %s', async (writer, _, { data, ...options }, environment) => {
  Object.assign(process.env, environment);
  expect(await writerOf({ engine: 'dynoxide', ...options, ...(data && { data: aFolder() }) })).toBe(writer);
});
