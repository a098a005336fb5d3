import type { DynamoDBRecord } from 'aws-lambda';
import { readClick } from '../../core/analytics/click-record.ts';

/** Bounds of links' analytics, known from the requests while the schedule runs. */
export class Bounds {
  readonly #links = new Map<
    string,
    { attempted: number; readonly accepted: Map<string, number>; lastRead: number }
  >();

  attempt(code: string): void {
    this.#of(code).attempted += 1;
  }

  /** Records that the function reported as processed. */
  accept(records: readonly DynamoDBRecord[]): void {
    for (const { dynamodb } of records) {
      const click = readClick(dynamodb);
      if (click) this.#of(click.code).accepted.set(click.position, click.clicks);
    }
  }

  /**
   * Checks that a read shows at least the clicks accepted before it, and at most the clicks attempted by
   * then.
   */
  async check(code: string, read: () => Promise<number>): Promise<void> {
    const link = this.#of(code);
    const least = [...link.accepted.values()].reduce((sum, clicks) => sum + clicks, 0);
    const clicks = await read();
    if (clicks < least || clicks > link.attempted || clicks < link.lastRead) {
      throw new Error(
        `${code} showed ${clicks} clicks after ${link.lastRead}; ${least} were accepted, ${link.attempted} attempted`,
      );
    }
    link.lastRead = clicks;
  }

  #of(code: string) {
    const known = this.#links.get(code) ?? { attempted: 0, accepted: new Map(), lastRead: 0 };
    this.#links.set(code, known);
    return known;
  }
}
