import { unique } from '../support/builders.ts';
import { newFolder } from '../support/folder.ts';
import { expectEventually, type RunningStack, startLocalStack } from '../support/local-stack.ts';
import { testAtNight } from '../support/nightly.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const kills = 4;
const linksAtOnce = 80;
const payload = { link: 'https://example.com/' };

/** Links that expire one after the other, within seconds. */
const expiring = async (stack: RunningStack): Promise<string[]> => {
  const start = Date.now() + 1500;
  const links = Array.from({ length: linksAtOnce }, (_, i) => ({
    code: unique('expiring'),
    payload,
    expiresAt: new Date(start + i * 75).toISOString(),
  }));
  expect((await stack.api('POST', '/links/bulk', { body: { links } })).status).toBe(200);
  return links.map(({ code }) => code);
};

testAtNight(
  'each expiry emits an event despite kill -9s of the stack',
  async () => {
    const data = newFolder();
    const receiver = await startReceiver();
    const emitted = () => receiver.received.map(({ event }) => event.data.link.code as string);
    let stack = await startLocalStack(data);
    try {
      await stack.admin('webhook', 'create', receiver.url, '--project', 'demo', '--events', 'link.expired');
      const made: string[] = [];
      for (let round = 0; round < kills; round += 1) {
        const codes = await expiring(stack);
        made.push(...codes);
        const ofRound = () => emitted().filter((code) => codes.includes(code)).length;
        await expectEventually(ofRound).toBeGreaterThan(5 * round);
        await stack.stop('SIGKILL');
        stack = await startLocalStack(data);
      }
      await expectEventually(() => [...new Set(emitted())].toSorted()).toEqual(made.toSorted());
    } finally {
      await stack.stop();
      await receiver.stop();
    }
  },
  300_000,
);
