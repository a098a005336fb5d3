import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, watch } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { userAgents } from '../../ops/base/user-agents.ts';
import { openAdminProcess } from './admin-process.ts';
import { root } from './source-files.ts';

export { expectEventually } from './expect-soon.ts';

/* Contexts of suites that don't run on the default one; few, because each needs a synthesis. */

export const prodContext = {
  stage: 'prod',
  region: 'eu-west-1',
  rateLimitPerHour: '300',
  figuresRetentionDays: '400',
  linksPerProject: '100000',
};
/** Hosts of projects as tenants of a distribution, every optional feature, and small limits of projects. */
export const extendedContext = {
  ownHosts: 'tenants',
  abuseContact: 'mailto:abuse@example.com',
  export: 'on',
  eventBuses: 'orders',
  figuresRetentionDays: '3',
  linksPerProject: '100',
};

/** The content of stack.json. */
interface Facts {
  readonly apiBaseUrl: string;
  readonly shortBaseUrl: string;
  readonly apiKey: string;
  readonly pid: number;
  readonly outputs: Readonly<Record<string, string>>;
  readonly services: { readonly dynamodb: string; readonly operatorKey: string };
  readonly consoleUrl: string;
  readonly memberConsoleUrl?: string;
  readonly shortAddress: string;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers are checked by what tests expect of them
  readonly body: any;
}

export interface RunningStack {
  readonly facts: Facts;
  readonly data: string;
  /** A call of the API, by default with the demo project's key. A string is sent as it is. */
  api(method: string, path: string, options?: CallOptions): Promise<ApiResponse>;
  /** A visit of a short URL; redirects aren't followed. */
  visit(path: string, headers?: Record<string, string>, method?: string): Promise<ApiResponse>;
  /** The JSON result of an admin command. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are checked by what tests expect of them
  admin(...args: string[]): Promise<any>;
  /** The JSON result of an admin command with standard input. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are checked by what tests expect of them
  adminReading(input: string, ...args: string[]): Promise<any>;
  /** The functions' output so far. */
  log(): string;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Less than the time of a test, so that its failure shows the request or value that it waits for. */
const longestWaitMs = 240_000;

/** The service's own table of a stack, as its operator reaches it. */
export const tableOf = ({ facts: { outputs, services } }: RunningStack) => ({
  endpoint: services.dynamodb,
  name: outputs.TableName ?? '',
  operatorKey: services.operatorKey,
});

export interface CallOptions {
  readonly key?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export const contextFlags = (context: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(context).flatMap(([key, value]) => ['-c', `${key}=${value}`]);

/** Flags of a stack as `prod`, with a small rate limit. */
export const prodFlags: readonly string[] = contextFlags(prodContext);
export const prodRateLimit = Number(prodContext.rateLimitPerHour);

/** `npm start` as a separate process, on free ports. Rejects with its output if it ends before it serves. */
export const startLocalStack = async (data: string, ...flags: string[]): Promise<RunningStack> => {
  if (!flags.includes('-c')) await untilAssembled();
  return startStackOf(root, data, ...flags);
};

/** `npm start` in a checkout, which may be one of another version. */
export const startStackOf = async (
  checkout: string,
  data: string,
  ...flags: string[]
): Promise<RunningStack> => {
  const child = runLocalOf(checkout, '--data', data, '--api-port', '0', '--short-port', '0', ...flags);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (printed += chunk));
  const given = new AbortController();
  const ended = once(child, 'exit', { signal: given.signal }).then(() => {
    throw new Error(printed);
  });
  try {
    const isOurs = ({ pid }: Facts) => pid === child.pid;
    return stackOf(await Promise.race([factsFrom(data, isOurs, given.signal), ended]), data, child);
  } finally {
    ended.catch(() => undefined);
    given.abort();
  }
};

/** A connection to a stack that jest's global setup starts and stops; `stop` only ends the connection. */
export const connectToStack = async (name: 'shared' | 'extended'): Promise<RunningStack> => {
  const data = sharedData(name);
  // Starts the extended one.
  mkdirSync(data, { recursive: true });
  return stackOf(await factsOf(data), data);
};

/** Waits for the shared stack, which makes the default context's assembly, so that it isn't made twice. */
export const untilAssembled = async (): Promise<void> => {
  await factsOf(sharedData('shared'));
};

const factsOf = async (data: string): Promise<Facts> => {
  const given = new AbortController();
  const facts = await factsFrom(data, () => true, given.signal);
  given.abort();
  return facts;
};

/** The data folder of a stack that files share. */
const sharedData = (name: 'shared' | 'extended') => path.join(process.env.SHARED_STACKS ?? '', name);

export const runLocal = (...flags: string[]): ChildProcess => runLocalOf(root, ...flags);

const runLocalOf = (checkout: string, ...flags: string[]): ChildProcess =>
  spawn(process.execPath, ['ops/dls.js', 'start', ...flags], {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** stack.json appears in one piece, once requests succeed; a killed stack may have left its own. */
const factsFrom = (data: string, isMeant: (facts: Facts) => boolean, signal: AbortSignal): Promise<Facts> =>
  new Promise((resolve) => {
    const look = () => {
      try {
        const facts = JSON.parse(readFileSync(path.join(data, 'stack.json'), 'utf8')) as Facts;
        if (isMeant(facts)) resolve(facts);
      } catch {
        // The file doesn't exist yet.
      }
    };
    watch(data, { signal }, look).on('error', () => undefined);
    look();
  });

const stackOf = (
  facts: Facts,
  data: string,
  child?: ChildProcess,
  commands = openAdminProcess(),
): RunningStack => ({
  facts,
  data,

  api: async (method, where, { body, headers = {}, ...options } = {}) => {
    const key = 'key' in options ? options.key : facts.apiKey;
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    return answerOf(
      await fetch(`${facts.apiBaseUrl}/1.0${where}`, {
        method,
        headers: {
          ...(key !== undefined && { 'X-API-KEY': key }),
          ...(sent !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(sent !== undefined && { body: sent }),
        signal: AbortSignal.timeout(longestWaitMs),
      }),
    );
  },

  visit: async (where, headers = {}, method = 'GET') =>
    answerOf(
      await fetch(`${facts.shortBaseUrl}${where}`, {
        method,
        redirect: 'manual',
        headers: { 'User-Agent': userAgents.desktop, ...headers },
        signal: AbortSignal.timeout(longestWaitMs),
      }),
    ),

  admin: async (...args) => JSON.parse(await commands.run([...args, '--data', data, '--json'])),

  adminReading: async (input, ...args) =>
    JSON.parse(await commands.run([...args, '--data', data, '--json'], input)),

  log: () => readFileSync(path.join(data, 'functions.log'), 'utf8'),

  stop: async (signal = 'SIGTERM') => {
    commands.stop();
    if (!child) return null;
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const ended = once(child, 'exit') as Promise<[number | null]>;
    child.kill(signal);
    return (await ended)[0];
  },
});

const answerOf = async (response: Response): Promise<ApiResponse> => {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
};

/** Polls until the value satisfies. Throws with the last value after `longestMs`. */
export const eventually = async <Value>(
  ask: () => Promise<Value>,
  satisfies: (value: Value) => boolean,
  longestMs = longestWaitMs,
): Promise<Value> => {
  const end = Date.now() + longestMs;
  for (;;) {
    const value = await ask();
    if (satisfies(value)) return value;
    if (Date.now() > end) throw new Error(`It is still ${inspect(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
};
