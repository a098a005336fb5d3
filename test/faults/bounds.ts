import type { DynamoDBRecord } from 'aws-lambda';
import { readClick } from '../../core/clicks/click-record.ts';

/** The bounds of links' figures, known from outside while everything runs. */
export class Bounds {
  readonly #links = new Map<
    string,
    { attempted: number; readonly accepted: Map<string, number>; lastRead: number }
  >();

  attempt(code: string): void {
    this.#of(code).attempted += 1;
  }

  /** The function has said that it is done with these records. */
  accept(records: readonly DynamoDBRecord[]): void {
    for (const { dynamodb } of records) {
      const click = readClick(dynamodb);
      if (click) this.#of(click.code).accepted.set(click.position, click.clicks);
    }
  }

  /**
   * Checks a read against them: no fewer clicks than were accepted before it, no more than were attempted by
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
