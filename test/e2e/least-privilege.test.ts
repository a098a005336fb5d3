import { type LocalStack, startStack } from '../../local/stack.ts';
import { assemble } from '../../ops/local/app.ts';
import { checks } from '../../ops/smoke/checks.ts';
import { runChecks } from '../../ops/smoke/run.ts';
import { openSession, type Session } from '../../ops/smoke/session.ts';
import { localAccess, openTarget } from '../../ops/target.ts';

let stack: LocalStack;
/** `function action table`, as calls asked for them. */
const used = new Set<string>();

beforeAll(async () => {
  stack = await startStack({
    assembly: await assemble(),
    apiPort: 0,
    shortPort: 0,
    engine: 'dynoxide',
    log: () => undefined,
    observe: ({ principal, action, resource }) => used.add(`${principal} ${action} ${resource}`),
  });
});
let isOver = false;
afterAll(async () => {
  isOver = true;
  await stack?.stop();
});

const session = (): Promise<Session> => {
  const { ApiBaseUrl: apiBase = '', ShortBaseUrl = '', TableName: tableName = '' } = stack.outputs;
  const access = localAccess(stack.endpoint);
  return openSession(
    { ...openTarget(tableName, ShortBaseUrl, access), apiBase, tableName, access },
    { isLocal: true },
  );
};

const granted = (): string[] =>
  stack.assembly.functions.flatMap(({ id, statements }) =>
    statements.flatMap(({ Action = [], Resource = [] }) =>
      [Action]
        .flat()
        .filter((action) => action.startsWith('dynamodb:'))
        .flatMap((action) =>
          [Resource]
            .flat()
            // Streams are read by Lambda itself.
            .filter((resource) => resource !== '*' && !resource.includes('/stream/'))
            .map((resource) => `${id} ${action} ${resource}`),
        ),
    ),
  );

/** A link whose marker the table sweeps, which then is stored as expired. */
const letExpire = async ({ api, newCode }: Session): Promise<void> => {
  const expiresAt = new Date(Date.now() + 1500).toISOString();
  const body = { code: newCode(), payload: { link: 'https://example.com/' }, expiresAt };
  expect((await api('POST', '/links', { body })).status).toBe(201);
  const isStored = () => [...used].some((call) => call.startsWith('ClicksExpireLinks'));
  while (!isStored() && !isOver) await new Promise((resolve) => setTimeout(resolve, 50));
};

test('the whole service uses every grant that its functions have on the table', async () => {
  const [outcomes] = await Promise.all([runChecks(checks, await session()), letExpire(await session())]);
  expect(outcomes.filter(({ result }) => result === 'failed')).toEqual([]);
  expect(granted().filter((grant) => !used.has(grant))).toEqual([]);
});

test('nobody is granted anything that the look above can not see', () => {
  const actions = stack.assembly.functions.flatMap(({ statements }) =>
    statements.flatMap(({ Action = [], Effect }) => [Action].flat().map((action) => `${Effect} ${action}`)),
  );
  const known =
    /^Allow (?:dynamodb:\w+|logs:(?:CreateLogStream|PutLogEvents)|xray:Put\w+|s3:(?:PutObject|ListBucket))$/;
  expect(actions.filter((action) => !known.test(action))).toEqual([]);
  expect(actions.length).toBeGreaterThan(0);
});
