import { deliveryKey, tableSchema } from '../table/keys.ts';
import { met, type Table } from '../table/table.ts';

/** What a test brought. */
export interface TestOutcome {
  readonly status?: number | undefined;
  readonly error?: string | undefined;
  readonly ms: number;
}

interface Named {
  readonly project: string;
  readonly id: string;
}

/** Until when a test is kept, in epoch seconds. */
const keptUntil = (now: Date) => Math.floor(now.getTime() / 1000) + 24 * 3600;

/** Tests of webhooks: a command asks for one, the sender makes it, and the command reads what it brought. */
export const webhookTestStore = (table: Table) => ({
  /** Begins a test. False if it has begun before: its message came twice. */
  begin: (webhook: Named, event: string, now: Date): Promise<boolean> =>
    met(
      table.put({
        Item: { ...deliveryKey(webhook, 'test', { event }), [tableSchema.ttl]: keptUntil(now) },
        ConditionExpression: 'attribute_not_exists(PK)',
      }),
    ),

  end: (webhook: Named, event: string, outcome: TestOutcome & { readonly now: Date }): Promise<void> => {
    const { now, ...shown } = outcome;
    return table.put({
      Item: {
        ...deliveryKey(webhook, 'test', { event }),
        ...shown,
        [tableSchema.ttl]: keptUntil(now),
      },
    });
  },

  /** What a test brought, once it is over. */
  async outcome(webhook: Named, event: string): Promise<TestOutcome | undefined> {
    const item = await table.get(deliveryKey(webhook, 'test', { event }));
    if (item?.ms === undefined) return undefined;
    const { status, error, ms } = item as unknown as TestOutcome;
    return { ...(status !== undefined && { status }), ...(error !== undefined && { error }), ms };
  },
});
