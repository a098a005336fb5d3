import type { JsonService } from '../../../local/base/json-service.ts';
import { policyOf } from '../../../local/iam/policy.ts';
import type { LeadingKeys } from '../../../local/table-gateway/access.ts';
import { startTableGateway } from '../../../local/table-gateway/gateway.ts';
import { commands } from '../../../ops/command-line/commands.ts';
import { openDeployment } from '../../../ops/deployment/deployment.ts';
import { localServices } from '../../../ops/deployment/service-access.ts';
import type { WebhookAccess } from '../../../ops/deployment/webhook-access.ts';
import { createKey } from '../../../ops/projects/keys.ts';
import { operatorPolicy } from '../../../ops/projects/operator-policies.ts';
import { operatorRanks } from '../../../ops/projects/operator-ranks.ts';
import { createShareKey } from '../../../ops/projects/share-keys.ts';
import { createWebhook } from '../../../ops/webhooks/webhooks.ts';
import { isNightly } from '../../support/nightly.ts';
import { ofFile } from '../../support/of-file.ts';
import { projectIn, recordName, startDeployment, storeLink } from '../../support/ops-deployment.ts';
import { recordProperties } from '../../support/table-properties.ts';

const queueArn = 'arn:aws:sqs:us-east-1:000000000000:Links-Webhooks';
const secretArn = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:Webhooks-abc';

const deployment = ofFile(async () => ({
  ...(await startDeployment()),
  webhooks: webhooksFor(async () => undefined),
}));
const policies = new Map<string, ReturnType<typeof policyOf>>();
/** AWS documents no keys for judging transactions. */
const gateways = new Map<LeadingKeys, JsonService>();
beforeAll(async () => {
  const arn = `arn:aws:dynamodb:us-east-1:000000000000:table/${recordName}`;
  const record = { id: 'Record', name: recordName, arn, properties: recordProperties };
  const principals = new Map(
    await Promise.all(
      operatorRanks.map(async (rank) => {
        const printed = await run('policy', { rank });
        const principal = { name: rank, statements: JSON.parse(printed).Statement };
        policies.set(rank, policyOf(principal));
        return [rank, principal] as const;
      }),
    ),
  );
  const { endpoint, resource } = deployment.db;
  const options = { engine: endpoint, principals, tables: [resource, record], enforce: true };
  for (const leadingKeys of ['part', 'request'] as const)
    gateways.set(leadingKeys, await startTableGateway({ ...options, leadingKeys }));
});
afterAll(async () => {
  for (const gateway of gateways.values()) await gateway.stop();
});

const webhooksFor = (call: (action: string, resource: string) => Promise<void>): WebhookAccess => ({
  queueUrl: 'https://sqs.us-east-1.amazonaws.com/000000000000/Links-Webhooks',
  secretArn,
  wake: () => call('sqs:SendMessage', queueArn),
  secret: async () => {
    await call('secretsmanager:GetSecretValue', secretArn);
    return 'secret';
  },
  eventBuses: [],
  isLocal: false,
});

/** With queue and secret as the printed policy allows them. */
const webhooksAs = (rank: string) =>
  webhooksFor(async (action, resource) => {
    const verdict = policies.get(rank)?.({ action, resource });
    if (verdict?.kind !== 'allowed') throw new Error(`AccessDenied: ${action}`);
  });

/** Runs a command as the command line does; resolves to its output. */
const run = async (
  name: string,
  given: Readonly<Record<string, unknown>>,
  on = deployment,
): Promise<string> => {
  const printed: string[] = [];
  const command = commands.find((one) => one.name === name);
  if (!command) throw new Error(`There is no command ${name}`);
  const result = await command.run(given, {
    deployment: async () => on,
    place: { data: '.local' },
    isJson: false,
    print: (text) => printed.push(text),
    write: async (text) => void printed.push(text),
    columns: undefined,
    input: async () => '',
    progress: () => undefined,
    fail: () => undefined,
  });
  return [...printed, JSON.stringify(result)].filter(Boolean).join('\n');
};

/** A project with a link and a key, and the commands on it, in their order. */
const aProject = async () => {
  const project = await projectIn(deployment);
  await storeLink(deployment, { project, code: 'launch' });
  const { keyId } = await createKey(deployment, { project });
  const link = { project, code: 'launch' };
  const url = 'https://hooks.example.com/';
  const shared = await createShareKey(deployment, project, { payload: { link: url } });
  const members = { ann: 'ann@example.com', bob: 'bob@example.com' };
  for (const email of Object.values(members))
    await deployment.stores.members.add({ email, project, role: 'editor' }, new Date());
  const ann = await deployment.stores.members.add(
    { email: members.ann, project, role: 'viewer' },
    new Date(),
  );
  if (typeof ann === 'string') throw new Error(ann);
  const made = await deployment.stores.sessions.exchange(
    { ...ann, projects: [project] },
    project,
    new Date(),
  );
  if (typeof made === 'string') throw new Error(made);
  const { id } = await createWebhook(deployment, project, { url });
  const webhook = { project, id };
  return {
    looks: [
      ['project list', {}],
      ['project show', { id: project }],
      ['project analytics', { id: project }],
      ['key list', { project }],
      ['domain list', {}],
      ['destination list', {}],
      ['link list', { project }],
      ['link show', link],
      ['link analytics', { ...link, days: 7 }],
      ['association show', { project }],
      ['member list', { project }],
      ['member list', {}],
      ['webhook list', { project }],
      ['webhook show', webhook],
      ['webhook deliveries', webhook],
    ],
    takedowns: [
      ['link block', link],
      ['link unblock', link],
      ['destination block', { host: 'evil.example.com' }],
      ['destination unblock', { host: 'evil.example.com' }],
      ['project suspend', { id: project }],
      ['project resume', { id: project }],
      ['key revoke', { key: keyId }],
      ['key revoke', { key: made.key }],
      ['key revoke', { key: shared.keyId, withLinks: true }],
      ['key restore-links', { key: shared.keyId }],
    ],
    // Where transactions count as a whole, a suspension needs a creation's rights.
    creations: [['project create', { id: `${project}-2` }]],
    others: [
      ['key create', { project }],
      ['webhook create', { project, url }],
      ['webhook update', { ...webhook, name: 'Shop' }],
      ['webhook rotate', webhook],
      ['webhook pause', webhook],
      ['webhook delete', webhook],
      ['member add', { email: 'eve@example.com', project, role: 'viewer' }],
      ['member remove', { email: members.bob, project }],
      ['domain assign', { host: `${project}.example.org`, project }],
    ],
  } as const;
};

const refused = /AccessDenied|not authorized/;

describe.each(['part', 'request'] as const)('where keys of a %s count', (leadingKeys) => {
  const allowances: [string, string[]][] = [
    ['takedowns', ['looks', 'takedowns', 'creations']],
    ['read', ['looks']],
    ['all', ['looks', 'takedowns', 'creations', 'others']],
  ];
  // Only takedowns use transactions, whose parts a policy may judge one by one.
  test.each(leadingKeys === 'part' || isNightly ? allowances : allowances.slice(0, 1))(
    'the policy %s allows the commands of %j, and no others',
    async (rank, allowed) => {
      const outputs = {
        TableName: deployment.tableName,
        TakedownTable: recordName,
        ShortBaseUrl: deployment.shortBase,
      };
      const services = localServices({
        dynamodb: gateways.get(leadingKeys)?.endpoint ?? '',
        operatorKey: rank,
      });
      const own = { ...deployment, ...openDeployment(outputs, services), webhooks: webhooksAs(rank) };
      for (const [kind, calls] of Object.entries(await aProject()))
        for (const [name, given] of calls) {
          const outcome = await run(name, given, own).then(
            () => 'done',
            (error: Error) => (refused.test(`${error.name} ${error.message}`) ? 'refused' : error.message),
          );
          expect([name, outcome]).toEqual([name, allowed.includes(kind) ? 'done' : 'refused']);
        }
    },
  );
});

test('policies reach no further than their commands need', () => {
  const may = (rank: (typeof operatorRanks)[number], action: string, key: string) =>
    policyOf({ name: rank, statements: operatorPolicy(rank, deployment).Statement })({
      action: `dynamodb:${action}`,
      resource: deployment.db.resource.arn,
      leadingKeys: [key],
    }).kind === 'allowed';
  const ranksThat = (action: string, key: string) => operatorRanks.filter((rank) => may(rank, action, key));
  expect(ranksThat('GetItem', 'VISITOR#any')).toEqual(['all']);
  expect(ranksThat('GetItem', 'SESSION#any')).toEqual(['all']);
  expect(ranksThat('GetItem', 'SIGNEDIN#any')).toEqual(['all']);
  expect(ranksThat('UpdateItem', 'MEMBERS#shop')).toEqual(['all']);
  expect(ranksThat('PutItem', 'LINK#shop#launch')).toEqual(['all']);
  expect(ranksThat('PutItem', 'KEY#any')).toEqual(['all']);
  expect(ranksThat('UpdateItem', 'DOMAIN#any')).toEqual(['all']);
  expect(ranksThat('PutItem', 'PROJECT#any')).toEqual(['takedowns', 'all']);
});

test("a policy for a stack lets operators read its outputs, and its queue's metrics", () => {
  for (const rank of operatorRanks)
    expect(operatorPolicy(rank, { tableName: 'T', stack: 'Links' }).Statement.slice(0, 2)).toEqual([
      {
        Effect: 'Allow',
        Action: ['cloudformation:DescribeStacks'],
        Resource: ['arn:aws:cloudformation:*:*:stack/Links/*'],
      },
      { Effect: 'Allow', Action: ['cloudwatch:GetMetricData'], Resource: ['*'] },
    ]);
});

test('with a second region, each policy allows its commands there, by name', () => {
  const copyKeys = { name: 'https://sqs.eu-west-1.amazonaws.com/1/Links-CopyKeys.fifo' };
  const may = (
    rank: (typeof operatorRanks)[number],
    action: string,
    resource: string,
    leadingKeys?: string[],
  ) =>
    policyOf({
      name: rank,
      statements: operatorPolicy(rank, { tableName: 'T', stack: 'Links', copyKeys }).Statement,
    })({
      action,
      resource,
      ...(leadingKeys && { leadingKeys }),
    }).kind === 'allowed';
  const table = 'arn:aws:dynamodb:eu-central-1:1:table/Links-standby-Copy1A2B-XYZ';
  const ranksThat = (...call: [string, string, string[]?]) =>
    operatorRanks.filter((rank) => may(rank, ...call));
  for (const [action, resource] of [
    ['dynamodb:Scan', table],
    ['sqs:GetQueueAttributes', 'arn:aws:sqs:eu-central-1:1:Links-standby-Clicks-XYZ'],
    ['cloudformation:DescribeStacks', 'arn:aws:cloudformation:eu-central-1:1:stack/Links-standby/id'],
  ] as const)
    expect([action, ranksThat(action, resource)]).toEqual([action, [...operatorRanks]]);
  expect(ranksThat('dynamodb:PutItem', table, ['STANDBYDENIED'])).toEqual(['takedowns', 'all']);
  expect(ranksThat('dynamodb:PutItem', table, ['LINK#shop#launch'])).toEqual(['all']);
  expect(ranksThat('dynamodb:UpdateItem', table, ['HOME'])).toEqual(['all']);
  expect(ranksThat('sqs:SendMessage', 'arn:aws:sqs:eu-west-1:1:Links-CopyKeys.fifo')).toEqual(['all']);
});
