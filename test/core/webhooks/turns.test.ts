import fc from 'fast-check';
import { begun, ended, hasTurn, noTurns, type Turn, type Turns } from '../../../core/webhooks/turns.ts';
import { runs } from '../../support/nightly.ts';

const turn = (webhook: string, message = webhook): Turn => ({ project: 'shop', webhook, message });
const ending = { hasMore: false, nextMessageAt: 0, now: 0 };
const first = (...webhooks: string[]): Turns =>
  webhooks.reduce((turns, webhook) => begun(turns, turn(webhook), 0), noTurns);

test('two turns of a project run, each at another webhook; later ones wait in order', () => {
  const turns = begun(first('a', 'b', 'c', 'd'), turn('a', 'again'), 0);
  expect(turns.running.map(({ webhook }) => webhook)).toEqual(['a', 'b']);
  expect(turns.waiting).toEqual(['c', 'd', 'a']);
  expect(begun(turns, turn('c', 'again'), 0).waiting).toEqual(['d', 'a', 'c']);
});

test('the end of a turn wakes the webhook that has waited longest, which waits until it has a turn', () => {
  const turns = ended(first('a', 'b', 'c', 'd'), turn('a'), ending);
  expect([turns.running.length, turns.waiting]).toEqual([1, ['d', 'c']]);
  expect(begun(turns, turn('c'), 0).waiting).toEqual(['d']);
});

test('a turn whose webhook waits looks once more, unless it has to go', () => {
  const turns = begun(first('a', 'b', 'c'), turn('a', 'again'), 0);
  const after = ended(turns, turn('a'), ending);
  expect([hasTurn(after, turn('a')), after.waiting]).toEqual([true, ['c']]);
  expect(ended(after, turn('a'), ending).running.map(({ webhook }) => webhook)).toEqual(['b']);
  const gone = ended(turns, turn('a'), { ...ending, hasMore: true });
  expect([hasTurn(gone, turn('a')), gone.waiting]).toEqual([false, ['a', 'c']]);
});

test('a message that comes again takes over its own turn, and another only once that is over', () => {
  expect(begun(first('a', 'b'), turn('a'), 0)).toEqual(first('b', 'a'));
  const later = begun(first('a', 'b'), turn('c'), 75_001);
  expect(later.running.map(({ webhook }) => webhook)).toEqual(['c']);
  // A turn that comes back is taken over, and ends nothing.
  expect(ended(later, turn('a'), ending)).toBe(later);
});

test("a turn's message is known with its time, as long as it is to come", () => {
  const turns = ended(first('a', 'b'), turn('a'), { ...ending, nextMessageAt: 500 });
  expect(turns.planned).toEqual({ a: 500 });
  expect(ended(turns, turn('b'), { ...ending, now: 499 }).planned).toEqual({ a: 500 });
  expect(ended(turns, turn('b'), { ...ending, now: 500 })).toEqual(noTurns);
});

test('few turns run, each message is handled, and nothing is left, whatever comes, repeats or dies', () => {
  const webhooks = ['a', 'b', 'c'];
  const step = fc.record({
    act: fc.constantFrom(
      'tell',
      'receive',
      'receive',
      'look',
      'end',
      'end',
      'die',
      'die at the end',
      'repeat',
    ),
    which: fc.nat(),
    hasMore: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (steps) => {
      const queue: Turn[] = [];
      const running: { readonly turn: Turn; hasLooked: boolean }[] = [];
      /** Webhooks with something that no turn has looked at. */
      const untold = new Set<string>();
      let [turns, sent] = [noTurns, 0];
      const send = (webhook: string) => queue.push(turn(webhook, `message-${sent++}`));
      const receive = (which: number) => {
        const [message] = queue.splice(which % queue.length, 1);
        if (!message) return;
        turns = begun(turns, message, 0);
        if (hasTurn(turns, message)) running.push({ turn: message, hasLooked: false });
        expect(turns.running.length).toBeLessThanOrEqual(2);
        const places = turns.running.map(({ webhook }) => webhook);
        expect(new Set(places).size).toBe(places.length);
      };
      const end = (which: number, { hasMore = false, dies = false } = {}) => {
        const one = running[which % running.length];
        // Something may come after a turn has looked. One whose time is up may not have.
        if (!one || !(one.hasLooked || hasMore)) return;
        const after = ended(turns, one.turn, { ...ending, hasMore });
        const isOver = after === turns;
        turns = after;
        one.hasLooked = false;
        if (hasTurn(turns, one.turn)) return;
        running.splice(running.indexOf(one), 1);
        const wake = isOver ? undefined : turns.waiting.at(-1);
        if (dies) queue.push(one.turn);
        else if (wake !== undefined) send(wake);
      };
      const look = (which: number) => {
        const one = running[which % running.length];
        if (!one) return;
        one.hasLooked = true;
        untold.delete(one.turn.webhook);
      };
      for (const { act, which, hasMore } of steps) {
        if (act === 'tell') {
          const webhook = webhooks[which % webhooks.length] ?? '';
          untold.add(webhook);
          send(webhook);
        }
        if (act === 'receive') receive(which);
        if (act === 'look') look(which);
        if (act === 'end') end(which, { hasMore });
        // Its message comes again.
        if (act === 'die at the end') end(which, { hasMore, dies: true });
        const one = running[which % running.length];
        if (act === 'die' && one) queue.push(...running.splice(running.indexOf(one), 1).map((it) => it.turn));
        if (act === 'repeat' && one) queue.push(one.turn);
      }
      for (let left = 1000; queue.length + running.length > 0; left -= 1) {
        expect(left).toBeGreaterThan(0);
        receive(0);
        look(0);
        end(0);
      }
      expect([...untold]).toEqual([]);
      expect(turns).toEqual(noTurns);
    }),
    { numRuns: runs(80) },
  );
});
