/** The webhook sender's turn at a webhook, identified by the message that began it. */
export type Turn = Readonly<Record<'project' | 'webhook' | 'message', string>>;

/**
 * The turns of a project's webhooks. One turn at a webhook bounds the load on its receiver; few in a project leave
 * places to others. If there is no place, the webhook waits, and the end of a turn wakes it, so no message is lost. If
 * the sender crashes, its message is redelivered and takes over the turn.
 */
export interface Turns {
  readonly running: readonly { readonly webhook: string; readonly message: string; readonly until: number }[];
  /** Webhooks that wait for a turn, the longest waiting first. */
  readonly waiting: readonly string[];
  /** Arrival times of delayed messages, by webhook. */
  readonly planned: Readonly<Record<string, number>>;
}

export const noTurns: Turns = { running: [], waiting: [], planned: {} };

/** Concurrent turns of a project: if the receivers of three projects hang, four of the sender's ten places are left. */
const mostRunning = 2;

/** A turn expires after this time. */
const longestTurnMs = 75_000;

/** The turns after a message arrives: its turn runs, or its webhook waits. */
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
  /** Whether another turn must follow. */
  readonly hasMore: boolean;
  /** Arrival time of the turn's delayed message, in epoch milliseconds. */
  readonly nextMessageAt: number;
  readonly now: number;
}

/**
 * The turns after one ends. It still runs if a message came meanwhile, and must look again. The last waiting webhook is
 * the one to wake; it waits until its message begins a turn.
 */
export const ended = (turns: Turns, turn: Turn, { hasMore, nextMessageAt, now }: Ending): Turns => {
  // Another message may have taken over the turn.
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
