import { figuresKey } from '../core/table/figure-keys.ts';
import { engineClient } from '../local/testing.ts';
import type { Serving } from './serving.ts';

type TableAddress = Pick<Serving, 'endpoint' | 'tableName'>;

interface Batch {
  readonly Responses: Readonly<
    Record<string, readonly { readonly n?: { readonly N: string }; readonly u?: { readonly N: string } }[]>
  >;
}

/** Reads the links' figures in few calls, to disturb little. */
export const countedFigures = async ({ endpoint, tableName }: TableAddress, codes: readonly string[]) => {
  const client = engineClient(endpoint);
  const sum = { clicks: 0, uniques: 0 };
  for (let at = 0; at < codes.length; at += 100) {
    const Keys = codes.slice(at, at + 100).map((code) => {
      const { PK, SK } = figuresKey({ project: 'demo', code });
      return { PK: { S: PK }, SK: { S: SK } };
    });
    const { Responses } = await client.call<Batch>('BatchGetItem', {
      RequestItems: { [tableName]: { Keys, ConsistentRead: true, ProjectionExpression: 'n, u' } },
    });
    for (const { n, u } of Responses[tableName] ?? []) {
      sum.clicks += Number(n?.N ?? 0);
      sum.uniques += Number(u?.N ?? 0);
    }
  }
  client.close();
  return sum;
};

interface Page {
  readonly Items: readonly { readonly PK: { readonly S: string }; readonly hits?: { readonly N: string } }[];
  readonly LastEvaluatedKey?: object;
}

/** The number of written clicks, from the visitors' items. */
export const hitsOf = async (
  { endpoint, tableName }: TableAddress,
  codes: readonly string[],
): Promise<number> => {
  const client = engineClient(endpoint);
  const ofLoad = new Set(codes);
  let hits = 0;
  let start: object | undefined;
  do {
    const page: Page = await client.call('Scan', {
      TableName: tableName,
      ConsistentRead: true,
      ProjectionExpression: 'PK, hits',
      ...(start && { ExclusiveStartKey: start }),
    });
    for (const { PK, hits: own } of page.Items) {
      const [kind, , code = ''] = PK.S.split('#');
      if (kind === 'VISITOR' && ofLoad.has(code)) hits += Number(own?.N);
    }
    start = page.LastEvaluatedKey;
  } while (start);
  client.close();
  return hits;
};
