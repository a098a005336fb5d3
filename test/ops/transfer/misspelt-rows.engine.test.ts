import { importText, reasonsOf } from '../../support/imports.ts';
import { fileDeployment, projectIn } from '../../support/ops-deployment.ts';

const deployment = fileDeployment();
const link = 'https://example.com/';
const inPayload = (fields: object) => ({ payload: { link, ...fields } });

/** Rows with a name that nearly is one, and the right name. */
const misspelt: readonly (readonly [fields: object, right: string])[] = [
  [{ nmae: 'N' }, 'name'],
  [{ tgas: ['a'] }, 'tags'],
  [{ expire: '2050-01-01' }, 'expiresAt'],
  [{ expiersAt: '2050-01-01' }, 'expiresAt'],
  [{ stauts: 'PAUSED' }, 'status'],
  [{ craetedAt: '2020-01-01' }, 'createdAt'],
  [{ bloked: true }, 'blocked'],
  [inPayload({ androd: { package: 'com.a' } }), 'android'],
  [inPayload({ iso: { bundleId: 'com.a' } }), 'ios'],
  [inPayload({ socail: { title: 'T' } }), 'social'],
  [inPayload({ interstital: 'auto' }), 'interstitial'],
  [inPayload({ android: { pakage: 'com.a' } }), 'package'],
  [inPayload({ social: { descripton: 'D' } }), 'description'],
  [inPayload({ campaign: { utm_scource: 'mail' } }), 'utm_source'],
  [inPayload({ campaign: { source: 'mail' } }), 'utm_source'],
  [inPayload({ rulez: [] }), 'rules'],
  [{ EXPIRES_AT: '2040-01-01' }, 'expiresAt'],
  [{ Status: null }, 'status'],
  // Names of other services.
  [{ url: link }, 'payload.link'],
  [{ alias: 'launch' }, 'code'],
  [{ password: 'secret' }, 'is not offered by this service'],
  [inPayload({ title: 'Launch' }), 'payload.social.title'],
];

test('rows with a misspelt name are refused with the right one, others come in', async () => {
  const project = await projectIn(deployment);
  const rows = [
    ...misspelt.map(([fields]) => fields),
    { foo: 1, groups: [], updatedAt: 'x', clickCount: 7, createdBy: 'x' },
  ];
  const text = rows.map((fields, i) => JSON.stringify({ code: `row-${i}`, payload: { link }, ...fields }));
  const outcomes = await importText(deployment, { project, name: 'links.ndjson', text: text.join('\n') });
  expect(reasonsOf(outcomes)).toEqual([
    ...misspelt.map(([, right]) => ['refused', expect.stringContaining(right)]),
    ['created', ''],
  ]);
});
