import { setImmediate as turn } from 'node:timers/promises';

export interface Grouping<Call> {
  /** The items of a call; a call without any runs alone. */
  readonly subjectsOf: (call: Call) => readonly string[];
  /** Whether calls on the same subject may be in one group. */
  readonly mayRepeat: boolean;
  /**
   * Whether a group has all calls of a turn of the event loop: where it runs faster than they come in. Others come in
   * while one runs.
   */
  readonly takesTurns: boolean;
  /** Runs a group to its end. Never rejects. */
  readonly run: (group: readonly [Call, ...Call[]]) => Promise<void>;
}

interface Waiting<Call> {
  readonly call: Call;
  readonly subjects: readonly string[];
}

/** The most actions of a transaction. */
const most = 100;

/** How far behind the first one a group looks for calls, so that a long queue isn't read again for each group. */
const farthest = 4 * most;

/** Runs one group of calls after the other. Calls that come in meanwhile are the next group. */
export function groupCalls<Call>(grouping: Grouping<Call>): (call: Call) => void {
  const { subjectsOf, mayRepeat, takesTurns, run } = grouping;
  const queue = new Queue<Waiting<Call>>();
  let isRunning = false;

  const next = (first: Waiting<Call>): [Call, ...Call[]] => {
    const group: [Call, ...Call[]] = [first.call];
    if (first.subjects.length === 0) return group;
    const taken = new Set(first.subjects);
    const passed: Waiting<Call>[] = [];
    for (let actions = taken.size; actions < most && passed.length < farthest; ) {
      const one = queue.shift();
      if (!one) break;
      const { call, subjects } = one;
      const isTaken = !mayRepeat && subjects.some((subject) => taken.has(subject));
      if (subjects.length === 0 || isTaken || actions + subjects.length > most) passed.push(one);
      else {
        for (const subject of subjects) taken.add(subject);
        actions += subjects.length;
        group.push(call);
      }
    }
    queue.unshift(passed);
    return group;
  };
  const runAll = async () => {
    isRunning = true;
    if (takesTurns) await turn();
    for (let first = queue.shift(); first; first = queue.shift()) {
      await run(next(first));
      if (takesTurns) await turn();
    }
    isRunning = false;
  };
  return (call) => {
    queue.push({ call, subjects: subjectsOf(call) });
    if (!isRunning) void runAll();
  };
}

/** Its first ones leave, and come back, without moving the others. */
class Queue<One> {
  #all: (One | undefined)[] = [];
  #first = 0;

  push(one: One): void {
    if (this.#first >= 1000) {
      this.#all = this.#all.slice(this.#first);
      this.#first = 0;
    }
    this.#all.push(one);
  }

  shift(): One | undefined {
    if (this.#first === this.#all.length) return undefined;
    const one = this.#all[this.#first];
    this.#all[this.#first] = undefined;
    this.#first += 1;
    return one;
  }

  /** Puts some that have left since the last `push` back in their order. */
  unshift(ones: readonly One[]): void {
    this.#first -= ones.length;
    for (const [i, one] of ones.entries()) this.#all[this.#first + i] = one;
  }
}
