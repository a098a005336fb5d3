/** A turn of the sender at a webhook, named by the message that began it. */
export type Turn = Readonly<Record<'project' | 'webhook' | 'message', string>>;

/**
 * The turns of a project's webhooks. One at a webhook at a time bounds what a receiver gets at once; few in a project leave
 * others their places. A message that finds no place leaves its webhook waiting, and the end of a turn wakes it: so no message
 * need wait, and none is lost. Should the sender die, the message of its turn comes again and takes the turn over.
 */
export interface Turns {
  readonly running: readonly { readonly webhook: string; readonly message: string; readonly until: number }[];
  /** Webhooks whose messages found no place, the one that has waited longest first. */
  readonly waiting: readonly string[];
  /** When messages come that were sent with a delay, by webhooks. */
  readonly planned: Readonly<Record<string, number>>;
}

export const noTurns: Turns = { running: [], waiting: [], planned: {} };

/** Of one project at once: three projects whose receivers hang leave others four of the sender's ten. */
const mostRunning = 2;

/** A turn that nobody ends is over after this time. */
const longestTurnMs = 75_000;

/** The turns once a message has come: it has a place among them, or waits. */
export const begun = ({ running, waiting, planned }: Turns, turn: Turn, now: number): Turns => {
  const { webhook, message } = turn;
  const others = running.filter((one) => one.message !== message && one.until >= now);
  const rest = waiting.filter((one) => one !== webhook);
  return others.length < mostRunning && others.every((one) => one.webhook !== webhook)
    ? { running: [...others, { webhook, message, until: now + longestTurnMs }], waiting: rest, planned }
    : { running: others, waiting: [...rest, webhook], planned };
};

export const hasTurn = ({ running }: Turns, { message }: Turn): boolean =>
  running.some((one) => one.message === message);

/** How a turn ends. */
export interface Ending {
  /** Whether another one must follow in its time. */
  readonly hasMore: boolean;
  /** When the message comes that it has sent with a delay, in epoch milliseconds. */
  readonly nextMessageAt: number;
  readonly now: number;
}

/**
 * The turns once one wants to end. It still runs if a message came meanwhile: it must look once more. The last that waits is the
 * one to wake; it waits until its message begins a turn.
 */
export const ended = (turns: Turns, turn: Turn, { hasMore, nextMessageAt, now }: Ending): Turns => {
  // Another message may have taken it over.
  if (!hasTurn(turns, turn)) return turns;
  const { webhook, message } = turn;
  const others = turns.waiting.filter((one) => one !== webhook);
  if (!hasMore && others.length < turns.waiting.length) return { ...turns, waiting: others };
  const [first, ...rest] = hasMore ? [...others, webhook] : others;
  const planned = Object.entries({ ...turns.planned, [webhook]: nextMessageAt });
  return {
    running: turns.running.filter((one) => one.message !== message),
    waiting: first === undefined ? [] : [...rest, first],
    planned: Object.fromEntries(planned.filter(([, at]) => at > now)),
  };
};
