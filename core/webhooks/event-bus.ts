import { AwsError } from '../table/errors.ts';
import type { Transport } from '../table/items.ts';
import type { SendResult } from './receiver.ts';

/** Puts an event on an EventBridge bus. */
export const openBuses =
  (send: Transport<string>, deadlineMs: number) =>
  async (bus: string, body: string): Promise<SendResult> => {
    const begun = performance.now();
    const took = () => Math.round(performance.now() - begun);
    const { type, timestamp } = JSON.parse(body) as { readonly type: string; readonly timestamp: string };
    const Time = Math.floor(Date.parse(timestamp) / 1000);
    const entry = { EventBusName: bus, Source: 'dynamic-links', DetailType: type, Detail: body, Time };
    try {
      const until = Date.now() + deadlineMs;
      const { FailedEntryCount, Entries } = (await send({
        action: 'PutEvents',
        input: { Entries: [entry] },
        until,
        isFresh: false,
      })) as { FailedEntryCount?: number; Entries?: { ErrorCode?: string; ErrorMessage?: string }[] };
      if (!FailedEntryCount) return { status: 200, ms: took() };
      const [{ ErrorCode = '', ErrorMessage = '' } = {}] = Entries ?? [];
      return { error: `${ErrorCode}: ${ErrorMessage}`, ms: took() };
    } catch (error) {
      if (error instanceof AwsError) return { error: error.message, ms: took() };
      throw error;
    }
  };
