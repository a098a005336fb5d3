import type { Fault } from '../../core/base/failure.ts';
import type { TransferProgress } from '../../ops/console-server/progress.ts';
import {
  CallError,
  type CallInput,
  type CallOptions,
  type CallOutput,
  type ConsoleClient,
  type Name,
  noConnection,
} from './client.ts';

const keptKey = 'console-key';

/** Takes the page key from the address behind `#`; only pages of this origin can read it later. */
export const takeKey = (): void => {
  const key = location.hash.slice(1);
  if (!/^[\w-]{43}$/.test(key)) return;
  localStorage.setItem(keptKey, key);
  history.replaceState(null, '', location.pathname + location.search);
};

/** Makes a call. Throws an Error with a message for users. */
const call = async <N extends Name>(
  name: N,
  input: CallInput<N>,
  { signal, onProgress }: CallOptions,
): Promise<CallOutput<N>> => {
  const response = await fetch(`/api/${name}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Console-Key': localStorage.getItem(keptKey) ?? '' },
    body: JSON.stringify(input),
    signal: signal ?? null,
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new Error(`${noConnection} Is the command that serves this page still running?`);
  });
  if (!response.headers.get('content-type')?.includes('json')) throw new Error(await response.text());
  for await (const line of linesOf(response)) {
    const { progress, data, error } = JSON.parse(line) as Line<CallOutput<N>>;
    if (progress) onProgress?.(progress);
    else if (error)
      throw response.status < 500 ? new CallError(error.message, error.faults) : new Error(error.message);
    else return data as CallOutput<N>;
  }
  throw new Error('The console stopped responding. Try again; the command that serves it may show why.');
};

interface Line<Data> {
  readonly progress?: TransferProgress;
  readonly data?: Data;
  readonly error?: { readonly message: string; readonly faults?: readonly Fault[] };
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest: string[] = [];
  for (;;) {
    const { value, done } = (await reader?.read().catch(() => undefined)) ?? { done: true };
    if (done || value === undefined) break;
    const parts = value.split('\n');
    for (const part of parts.slice(0, -1)) {
      yield [...rest, part].join('');
      rest = [];
    }
    rest.push(parts.at(-1) ?? '');
  }
  const last = rest.join('');
  if (last !== '') yield last;
}

/** The operators' console, whose calls go to the program that serves it. */
export const operatorsClient: ConsoleClient = { call, offers: () => true, isOperators: true, base: '' };
