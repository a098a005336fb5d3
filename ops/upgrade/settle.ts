// Until 1.3.0: part of the upgrade from 1.0.0.
import { type DynamoDBDocumentClient, type NativeAttributeValue, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Owner } from '../../core/table/figure-keys.ts';
import { sortKeys } from '../../core/table/keys.ts';
import { forOperators } from '../../core/table/patience.ts';
import type { Item } from '../../core/table/table.ts';
import { openTable } from '../../core/table/whole-table.ts';
import { OperatorError } from '../base/operator-error.ts';
import { documentClient, sdkTransport } from '../target/sdk-client.ts';
import type { Deployment } from '../target/target.ts';
import { isUnsettled, type Settling, settleOwner } from './settled-owner.ts';

export interface Settled {
  /** Links and projects whose figures were settled now. */
  settled: number;
  /** Those that were settled before. */
  before: number;
}

type Settlement = Pick<Deployment, 'access' | 'tableName' | 'figuresRetentionDays'>;

/** Links and projects that are settled at the same time. */
const atOnce = 16;
/** Whether 1.0.0 still counts shows after the longest time that it takes to count a batch. */
const watchMs = 5000;

/**
 * Brings the figures of 1.0.0 into the form of 1.1.0, while nobody counts. Repeating it is harmless. A project's own figures
 * come after those of all links: once they are settled, all is. Throws OperatorError if 1.0.0 counts meanwhile.
 */
export const settleFigures = async (
  { access, tableName, figuresRetentionDays: retentionDays }: Settlement,
  progress: (text: string) => void,
  { now = new Date(), watch = watchMs } = {},
): Promise<Settled> => {
  const client = documentClient(access);
  const table = openTable(sdkTransport(access), { name: tableName, patience: forOperators });
  const settling: Settling = { table, now, retentionDays };
  const outcome: Settled = { settled: 0, before: 0 };
  const seen: Item[] = [];
  const settle = async (items: readonly Item[]) => {
    for (let done = 0; done < items.length; done += atOnce) {
      const some = items.slice(done, done + atOnce);
      const settled = await Promise.all(some.map((item) => settleOwner(settling, ownerOf(item), item)));
      if (settled.includes(false)) throw new OperatorError(stillCounts);
      outcome.settled += some.length;
      seen.push(...some.slice(0, Math.max(0, mostSeen - seen.length)));
    }
    if (items.length > 0) progress(`${outcome.settled} links and projects settled`);
  };
  try {
    const projects: Item[] = [];
    for await (const items of figuresOf(client, tableName)) {
      const open = items.filter(isUnsettled);
      outcome.before += items.length - open.length;
      projects.push(...open.filter((item) => ownerOf(item).code === undefined));
      await settle(open.filter((item) => ownerOf(item).code !== undefined));
    }
    await settle(projects);
    if (seen.length > 0) await new Promise((resolve) => setTimeout(resolve, watch));
    const again = await Promise.all(seen.map(({ PK, SK }) => table.get({ PK: String(PK), SK: String(SK) })));
    if (again.some((item) => item && isUnsettled(item))) throw new OperatorError(stillCounts);
    return outcome;
  } finally {
    client.destroy();
  }
};

/** The most items that are looked at again, to see whether 1.0.0 still counts. */
const mostSeen = 200;

const stillCounts =
  'Clicks are still counted: disable the event source mapping of aggregate-clicks, wait until its state is Disabled, and repeat this';

/** `LINK#project#code` or `SERIES#project`. */
const ownerOf = ({ PK }: Item): Owner => {
  const [, project = '', code] = String(PK).split('#');
  return { project, ...(code !== undefined && { code }) };
};

/** All items of figures, in pages. Reads the whole table: nothing lists the links that were deleted. */
async function* figuresOf(client: DynamoDBDocumentClient, TableName: string): AsyncGenerator<Item[]> {
  let start: Record<string, NativeAttributeValue> | undefined;
  do {
    const page = await client.send(
      new ScanCommand({
        TableName,
        FilterExpression: 'SK = :stats',
        ExpressionAttributeValues: { ':stats': sortKeys.totals },
        ConsistentRead: true,
        ExclusiveStartKey: start,
      }),
    );
    yield page.Items ?? [];
    start = page.LastEvaluatedKey;
  } while (start);
}
