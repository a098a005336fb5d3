export interface Grouping<Call> {
  /** The items of a call; a call without any runs alone. */
  readonly subjectsOf: (call: Call) => readonly string[];
  /** Whether calls on the same subject may be in one group. */
  readonly mayRepeat: boolean;
  /** Runs a group to its end. Never rejects. */
  readonly run: (group: readonly [Call, ...Call[]]) => Promise<void>;
}

/** The most actions of a transaction. */
const most = 100;

/** Runs one group of calls after the other. Calls that come in meanwhile are the next group; one by itself never waits. */
export function groupCalls<Call>({ subjectsOf, mayRepeat, run }: Grouping<Call>): (call: Call) => void {
  let waiting: { readonly call: Call; readonly subjects: readonly string[] }[] = [];
  let isRunning = false;

  const next = (first: (typeof waiting)[number]): [Call, ...Call[]] => {
    const group: [Call, ...Call[]] = [first.call];
    const taken = new Set(first.subjects);
    waiting = waiting.slice(1).filter(({ call, subjects }) => {
      const isAlone = first.subjects.length === 0 || subjects.length === 0;
      const isTaken = !mayRepeat && subjects.some((subject) => taken.has(subject));
      if (isAlone || isTaken || taken.size + subjects.length > most) return true;
      for (const subject of subjects) taken.add(subject);
      group.push(call);
      return false;
    });
    return group;
  };
  const runAll = async () => {
    isRunning = true;
    for (let [first] = waiting; first; [first] = waiting) await run(next(first));
    isRunning = false;
  };
  return (call) => {
    waiting.push({ call, subjects: subjectsOf(call) });
    if (!isRunning) void runAll();
  };
}
