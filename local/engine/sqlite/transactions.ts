import { hash } from 'node:crypto';
import { Capacity, readUnits } from './capacity.ts';
import type { Commits } from './commits.ts';
import type { Input } from './input.ts';
import {
  addCapacity,
  nameOf,
  type Outcome,
  ofTransaction,
  outcomeOf,
  readWrite,
  type Write,
} from './outcomes.ts';
import { mustDiffer, object, transactionParts } from './reads.ts';
import { invalid, Rejected } from './rejected.ts';
import type { Tables } from './tables.ts';
import type { Writes } from './writes.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
const mostItems = 100;
const mostBytes = 4 * 1024 * 1024;
/** How long a token is remembered. */
const rememberedMs = 10 * 60 * 1000;

interface Made {
  readonly content: string;
  readonly time: number;
}

/** Makes all writes of a transaction, or none. */
export class Transactions {
  readonly #tables: Tables;
  readonly #writes: Writes;
  readonly #commits: Commits;
  readonly #made = new Map<string, Made>();

  constructor(tables: Tables, writes: Writes, commits: Commits) {
    this.#tables = tables;
    this.#writes = writes;
    this.#commits = commits;
  }

  /** Makes a transaction; once per token, if it has one. */
  write(input: Input): string {
    const parts = transactionParts(input, mostItems);
    const token = tokenOf(input);
    const writes = parts.map((part) => readWrite(this.#tables, ...ofTransaction(part)));
    const capacity = new Capacity(input);
    if (token === undefined) {
      this.#make(writes, capacity);
      return object(capacity.text(true));
    }
    const content = hash('sha256', JSON.stringify(input.TransactItems));
    const before = this.#made.get(token);
    if (before !== undefined && before.time > Date.now() - rememberedMs) {
      if (before.content !== content) throw otherContent();
      // A repeated transaction only reads.
      for (const { table, key } of writes)
        capacity.add(table, 2 * readUnits(table.find(key)?.bytes ?? 0, true));
      return object(capacity.text(true));
    }
    this.#make(writes, capacity);
    this.#remember(token, content);
    return object(capacity.text(true));
  }

  #make(writes: readonly Write[], capacity: Capacity): void {
    const outcomes = outcomesOf(writes);
    mustDiffer(writes.map(nameOf), 'Transaction request cannot include multiple operations on one item');
    if (outcomes.reduce((sum, { bytes }) => sum + bytes, 0) > mostBytes)
      throw invalid('Collection of items in a transaction exceeds 4 MB');
    this.#writes.make(outcomes);
    // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-capacity-handling
    for (const outcome of outcomes) addCapacity(capacity, outcome, 2);
  }

  #remember(token: string, content: string): void {
    const time = Date.now();
    for (const [old, made] of this.#made) {
      if (made.time > time - rememberedMs) break;
      this.#made.delete(old);
    }
    this.#made.delete(token);
    this.#made.set(token, { content, time });
    // A lost batch has made none of its transactions.
    this.#commits.settled().catch(() => this.#made.delete(token));
  }
}

function tokenOf({ ClientRequestToken: token }: Input): string | undefined {
  if (token === undefined || token === null) return undefined;
  if (typeof token === 'string' && token !== '' && token.length <= 36) return token;
  throw invalid('ClientRequestToken must have a length of 1 to 36');
}

const otherContent = () =>
  new Rejected(
    'IdempotentParameterMismatchException',
    'The request uses the same client token as a previous, but non-identical request. Do not reuse a client token with different requests, unless the requests are identical',
  );

interface Reason {
  readonly Code: string;
  readonly Message?: string;
}

/** The outcomes of all writes; throws the reasons of those that fail. */
function outcomesOf(writes: readonly Write[]): Outcome[] {
  const reasons: Reason[] = [];
  const outcomes = writes.flatMap((write) => {
    try {
      const outcome = outcomeOf(write);
      reasons.push({ Code: 'None' });
      return outcome;
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      const isUnmet = error.type === 'ConditionalCheckFailedException';
      reasons.push({
        ...error.more,
        Code: isUnmet ? 'ConditionalCheckFailed' : 'ValidationError',
        Message: error.message,
      });
      return [];
    }
  });
  if (outcomes.length === writes.length) return outcomes;
  throw new Rejected(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons.map(({ Code }) => Code).join(', ')}]`,
    { CancellationReasons: reasons },
  );
}
