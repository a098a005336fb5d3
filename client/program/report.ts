import type { Failed } from './apply.ts';
import type { FieldChange } from './link-state.ts';
import { isChange, type Step } from './plan.ts';
import { visible } from './visible.ts';

const signs = {
  create: '+ create',
  update: '~ update',
  pause: '▮ pause',
  activate: '▶ activate',
  refused: '! refused',
  orphan: '- orphan',
} as const;

type Count = keyof typeof signs | 'unchanged';

const countsOf = (steps: readonly Step[]): Record<Count, number> => {
  const counts = { create: 0, update: 0, pause: 0, activate: 0, unchanged: 0, refused: 0, orphan: 0 };
  for (const { action } of steps) counts[action] += 1;
  return counts;
};

/** The plan as lines that differ only where the plan does. Unchanged links are only counted. */
export const planLines = (steps: readonly Step[]): string[] => [
  ...steps.flatMap(linesOf),
  Object.entries(countsOf(steps))
    .map(([name, count]) => `${count} ${name}`)
    .join(', '),
];

const linesOf = ({ action, code, changes = [], reason, begins, pauses }: Step): string[] => {
  if (action === 'unchanged') return [];
  const more = reason ?? (begins && `begins ${begins}`) ?? (pauses ? 'to be paused' : undefined);
  return [`${signs[action]} ${code}${more ? `: ${visible(more)}` : ''}`, ...changes.map(changeLine)];
};

const changeLine = ({ field, from, to }: FieldChange): string =>
  `    ${field}: ${shown(from)} → ${shown(to)}`;

/** Plain text, or JSON if the text is ambiguous. */
const shown = (value: unknown): string => {
  if (value === undefined) return '(none)';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return visible(`[${value.join(', ')}]`);
  const isPlain =
    typeof value === 'string' &&
    !value.includes('##[') &&
    /^[^\s([{"\p{C}](?:[^\p{C}]*[^\s\p{C}])?$/u.test(value);
  return isPlain ? value : visible(JSON.stringify(value));
};

/** The plan as JSON; `failed` belongs to an apply. */
export const planJson = (steps: readonly Step[], failed?: readonly Failed[]): object => ({
  counts: countsOf(steps),
  steps: steps
    .filter(({ action }) => action !== 'unchanged')
    .map((step) => ({ ...step, ...outcomeOf(step, failed) })),
});

const outcomeOf = (step: Step, failed: readonly Failed[] | undefined): object => {
  if (!failed || !isChange(step)) return {};
  const failure = failed.find(({ code }) => code === step.code);
  if (!failure) return { result: 'done' };
  const { code, message } = failure.error;
  return { result: 'failed', error: { code, message } };
};

/** Shows progress: at most one line a second. */
export const progressOn = (stream: NodeJS.WriteStream, what: string) => {
  let last = Date.now();
  return (done: number, all: number): void => {
    if (Date.now() - last < 1000) return;
    last = Date.now();
    stream.write(`${done} of ${all} ${what}\n`);
  };
};
