import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { OperatorError } from '../base/operator-error.ts';
import type { LocalServices, Outputs } from './service-access.ts';

/** The content of a running local stack's stack.json. */
export interface StackFacts {
  readonly apiBaseUrl: string;
  readonly shortBaseUrl: string;
  /** Address of the local edge. With `shortDomain`, requests need that domain as their host. */
  readonly shortAddress: string;
  readonly project: string;
  readonly apiKey: string;
  readonly pid: number;
  /** The console's address, with its token. */
  readonly consoleUrl: string;
  /** Address for members to sign in, if they can. */
  readonly memberConsoleUrl?: string;
  /** Whether links may lead to localhost. */
  readonly localDestinations: boolean;
  readonly outputs: Outputs;
  readonly services: LocalServices;
}

export const factsFile = (data: string): string => path.join(data, 'stack.json');

/** The stack.json of a data folder. Throws OperatorError if no stack runs there. */
export const runningStack = async (data: string): Promise<StackFacts> => {
  const text = await readFile(factsFile(data), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' || error.code === 'ENOTDIR' ? notRunning(data) : unreadable(data, error);
  });
  const stack = parsedStack(text);
  if (!stack) {
    throw new OperatorError(
      `${factsFile(data)} is damaged, or of another version: end the local stack, if it still runs, and start it again with 'npm start'`,
    );
  }
  // A killed stack leaves its file behind, and another process may have its process id.
  if (stack.pid !== undefined && !isProcessRunning(stack.pid)) throw notRunning(data);
  if (!(await isListening(stack.services.dynamodb))) throw notRunning(data);
  return stack;
};

const notRunning = (data: string) =>
  new OperatorError(
    `No local stack is running in ${data}${path.isAbsolute(data) ? '' : ` of ${process.cwd()}`}: start one with 'npm start', or name a deployed one with --stack NAME`,
  );

const unreadable = (data: string, { code, message }: NodeJS.ErrnoException) => {
  const reason = code === 'EACCES' || code === 'EPERM' ? 'the stack is of another user' : message;
  return new OperatorError(
    `${factsFile(data)} can't be read: ${reason}. Name another folder with --data DIR, or a deployed stack with --stack NAME`,
  );
};

/** Parses a stack.json; undefined if it is incomplete or another file. */
export const parsedStack = (text: string): StackFacts | undefined => {
  try {
    const facts = JSON.parse(text) as Partial<StackFacts> | null;
    const isWhole = facts?.outputs?.TableName && URL.canParse(facts.services?.dynamodb ?? '');
    return isWhole ? (facts as StackFacts) : undefined;
  } catch {
    return undefined;
  }
};

export const isProcessRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process can't be sent a signal.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

export const isListening = async (address: string): Promise<boolean> => {
  const { hostname, port, protocol } = new URL(address);
  const socket = connect(
    Number(port || (protocol === 'https:' ? 443 : 80)),
    hostname.replace(/^\[|\]$/g, ''),
  );
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};
