export interface Grouping<Call> {
  /** The item of a call; a call without one runs alone. */
  readonly subjectOf: (call: Call) => string | undefined;
  /** Whether calls on the same subject may be in one group. */
  readonly mayRepeat: boolean;
  /** Runs a group to its end. Never rejects. */
  readonly run: (group: readonly [Call, ...Call[]]) => Promise<void>;
}

/** The most actions of a transaction. */
const most = 100;

/** Runs one group of calls after the other. Calls that come in meanwhile are the next group; one by itself never waits. */
export function groupCalls<Call>({ subjectOf, mayRepeat, run }: Grouping<Call>): (call: Call) => void {
  let waiting: { readonly call: Call; readonly subject: string | undefined }[] = [];
  let isRunning = false;

  const next = (first: (typeof waiting)[number]): [Call, ...Call[]] => {
    const group: [Call, ...Call[]] = [first.call];
    const subjects = new Set([first.subject]);
    waiting = waiting.slice(1).filter(({ call, subject }) => {
      const isAlone = first.subject === undefined || subject === undefined;
      if (isAlone || (!mayRepeat && subjects.has(subject)) || subjects.size === most) return true;
      subjects.add(subject);
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
    waiting.push({ call, subject: subjectOf(call) });
    if (!isRunning) void runAll();
  };
}
