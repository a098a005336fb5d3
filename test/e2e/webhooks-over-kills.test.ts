import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { unique } from '../support/builders.ts';
import { newFolder } from '../support/folder.ts';
import { eventually, expectEventually, type RunningStack, startLocalStack } from '../support/local-stack.ts';
import { testAtNight } from '../support/nightly.ts';

const program = path.join(import.meta.dirname, '../support/receiver-program.ts');
const clicks = 10_000;
const kills = 4;
const visitorsAtOnce = 20;
const codes = ['one', 'two', 'three'];
const payload = { link: 'https://example.com/' };

/** While this file is there, the receiver takes nothing. */
const failing = (file: string) => `${file}-fails`;

let receiver: ChildProcess;
let port = '0';
const startReceiver = async (file: string) => {
  receiver = spawn(process.execPath, [program, port, file, failing(file)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = await once(receiver.stdout as NodeJS.ReadableStream, 'data');
  port = String(printed).trim();
};
const killReceiver = async () => {
  const ended = once(receiver, 'exit');
  receiver.kill('SIGKILL');
  await ended;
};

type Known = Map<string, Set<string>>;

/** Arrivals: events by their ids, clicks by theirs and links by their codes, each with all texts that came under it. */
const cameTo = (file: string) => {
  const [events, clickIds, links]: [Known, Known, Known] = [new Map(), new Map(), new Map()];
  const note = (known: Known, id: string, text: string) =>
    known.set(id, (known.get(id) ?? new Set()).add(text));
  // The last line may be half a line of a receiver that was killed.
  for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
    const [id = '', body = ''] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)];
    note(events, id, body);
    const { link, clicks: those = [] } = JSON.parse(body).data;
    if (link) note(links, link.code, body);
    for (const click of those) note(clickIds, click.id, JSON.stringify(click));
  }
  return { events, clickIds, links };
};

let visitors = 0;

/** Visits until it is over, or something is killed. Resolves to how many visits were answered, and how many were not. */
const visit = async (stack: RunningStack, isOver: (answered: number) => boolean) => {
  let [answered, inDoubt] = [0, 0];
  const worker = async () => {
    while (inDoubt === 0 && !isOver(answered)) {
      visitors += 1;
      const address = `20.0.${visitors >> 8}.${visitors & 255}`;
      const outcome = await stack
        .visit(`/${codes[visitors % codes.length]}`, { 'x-sim-viewer-address': address })
        .catch(() => undefined);
      if (outcome?.status === 302) answered += 1;
      else inDoubt += 1;
    }
  };
  await Promise.all(Array.from({ length: visitorsAtOnce }, worker));
  return { answered, inDoubt };
};

/** Pauses after a first failure. */
const retriedAfterMs = 6000;

/** A delivery that failed twice pauses for up to 5.5 minutes. */
const secondRetryMs = 400_000;

/** Lets the receiver fail, makes links, kills the stack as soon as they are refused, and the receiver, and waits until they are due again. */
const failAndKill = async (stack: RunningStack, file: string, made: string[]) => {
  writeFileSync(failing(file), '');
  const links = Array.from({ length: 60 }, () => ({ code: unique('made'), payload }));
  const { status } = await stack.api('POST', '/links/bulk', { body: { links } });
  if (status === 200) made.push(...links.map(({ code }) => code));
  await expectEventually(() => readFileSync(failing(file), 'utf8')).toContain('link.created');
  await Promise.all([stack.stop('SIGKILL'), killReceiver()]);
  await delay(retriedAfterMs);
};

testAtNight(
  'each of 10,000 clicks, and each link, is sent at least once over kill -9s of stack and receiver, which fails meanwhile; clicks are counted once',
  async () => {
    const data = newFolder();
    const file = path.join(data, 'received');
    await startReceiver(file);
    let stack = await startLocalStack(data);
    try {
      for (const code of codes) await stack.api('POST', '/links', { body: { code, payload } });
      const url = `http://127.0.0.1:${port}/`;
      const of = ['--project', 'demo'];
      const { id } = await stack.admin(
        'webhook',
        'create',
        url,
        ...of,
        '--events',
        'link.clicked,link.created',
      );
      let [done, doubted] = [0, 0];
      const made: string[] = [];
      for (let round = 0; round < kills; round += 1) {
        let killed: Promise<unknown> | undefined;
        const running = stack;
        const { answered, inDoubt } = await visit(running, (soFar) => {
          if (soFar >= clicks / (kills + 1)) killed ??= failAndKill(running, file, made);
          return false;
        });
        [done, doubted] = [done + answered, doubted + inDoubt];
        await killed;
        rmSync(failing(file));
        await startReceiver(file);
        stack = await startLocalStack(data);
        // The receiver again, during deliveries.
        await killReceiver();
        await startReceiver(file);
      }
      const rest = await visit(stack, (soFar) => done + soFar >= clicks);
      expect(rest.inDoubt).toBe(0);
      done += rest.answered;
      const last = await eventually(
        async () => {
          const links = await Promise.all(codes.map((code) => stack.api('GET', `/links/${code}`)));
          const counted = links.reduce((sum, { body }) => sum + body.data.clickCount, 0);
          const { pending, failed } = await stack.admin('webhook', 'show', id, ...of);
          return { counted, pending, failed, ...cameTo(file) };
        },
        ({ counted, clickIds, pending }) => counted >= done && clickIds.size >= counted && pending === 0,
        secondRetryMs,
      );
      const { counted, failed, events, clickIds, links } = last;
      console.info(
        `Of ${done} clicks that were answered and ${doubted} that were not, ${counted} are counted; ${events.size} events sent ${clickIds.size}`,
      );
      expect([counted <= done + doubted, failed]).toEqual([true, 0]);
      expect(clickIds.size).toBe(counted);
      expect(made.filter((code) => !links.has(code))).toEqual([]);
      const various = (known: Known) => [...known.values()].filter(({ size }) => size > 1);
      expect([various(events), various(clickIds)]).toEqual([[], []]);
    } finally {
      await stack.stop();
      await killReceiver();
    }
  },
  900_000,
);
