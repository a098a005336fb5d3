import fc from 'fast-check';
import { wantedLinks } from '../../client/program/link-file.ts';
import { linkStateOf } from '../../client/program/link-state.ts';
import { type Found, type PlanOptions, type Present, type Step, stepsOf } from '../../client/program/plan.ts';
import { planLines } from '../../client/program/report.ts';
import { readTime } from '../../core/base/time.ts';
import { runs } from '../support/nightly.ts';

const options: PlanOptions = { adopt: false, orphans: 'keep' };

const wanted = (entries: object, owner = 'web') =>
  wantedLinks([{ file: 'a.json', text: JSON.stringify({ owner, links: entries }) }]);

const payload = { link: 'https://example.com/' };
const present = (fields: object = {}): Present => ({
  code: 'abc',
  status: 'ACTIVE',
  payload,
  tags: ['managed:web'],
  ...fields,
});

const stepOn = (entry: object, found: Found, more: Partial<PlanOptions> = {}): Step => {
  const inventory = { found: new Map([['abc', found]]), owned: [] };
  const [step] = stepsOf(wanted({ abc: entry }), inventory, { ...options, ...more });
  if (!step) throw new Error('There is no step');
  return step;
};

const past = '2026-11-01T00:00:00.000Z';
const future = '2030-01-31T12:00:00.000Z';

test.each<[string, object, Found, Partial<PlanOptions>]>([
  ['create', { payload }, 'free', {}],
  ['refused', { payload }, 'taken', {}],
  ['unchanged', { payload }, present(), {}],
  ['unchanged', { payload, status: 'PAUSED' }, present({ status: 'PAUSED' }), {}],
  ['update', { payload, name: 'New' }, present(), {}],
  ['update', { payload, name: 'New', status: 'PAUSED' }, present(), {}],
  ['update', { payload }, present({ name: 'Old' }), {}],
  ['pause', { payload, status: 'PAUSED' }, present(), {}],
  ['activate', { payload }, present({ status: 'PAUSED' }), {}],
  ['unchanged', { payload, expiresAt: past }, present({ status: 'EXPIRED', expiresAt: past }), {}],
  [
    'unchanged',
    { payload, expiresAt: past, status: 'PAUSED' },
    present({ status: 'EXPIRED', expiresAt: past }),
    {},
  ],
  ['refused', { payload, expiresAt: future }, present({ status: 'EXPIRED', expiresAt: past }), {}],
  ['unchanged', { payload, status: 'PAUSED' }, present({ status: 'PAUSED', blocked: true }), {}],
  ['refused', { payload }, present({ status: 'PAUSED', blocked: true }), {}],
  ['refused', { payload, name: 'New', status: 'PAUSED' }, present({ status: 'PAUSED', blocked: true }), {}],
  ['refused', { payload }, present({ tags: [] }), {}],
  ['refused', { payload }, present({ tags: undefined }), {}],
  ['update', { payload }, present({ tags: ['other'] }), { adopt: true }],
  ['refused', { payload }, present({ tags: ['managed:shop'] }), {}],
  ['refused', { payload }, present({ tags: ['managed:shop'] }), { adopt: true }],
  ['refused', { payload }, present({ tags: ['managed:shop', 'managed:web'] }), { adopt: true }],
])('%s: %j where there is %j', (action, entry, found, more) => {
  expect(stepOn(entry, found, more).action).toBe(action);
});

test('a link is compared as the service stores it', () => {
  const rule = {
    name: 'a',
    countries: ['DE'],
    from: '2026-12-01T08:00:00.000Z',
    link: 'https://example.com/de',
  };
  const inAnotherOrder = Object.fromEntries(Object.entries(rule).reverse());
  const entry = {
    tags: ['Summer', 'summer', 'poster'],
    expiresAt: '2030-01-31T13:00+01:00',
    payload: {
      ...payload,
      ios: {},
      rules: [{ ...inAnotherOrder, countries: ['de'], from: '2026-12-01T09:00:00+01:00' }],
    },
  };
  const stored = present({
    tags: ['poster', 'managed:web', 'summer'],
    expiresAt: future,
    payload: { rules: [rule], link: payload.link },
  });
  expect(stepOn(entry, stored).action).toBe('unchanged');
});

test('times are read as the service reads them', () => {
  const part = fc.constantFrom(
    ...['2026-11-22', '2024-02-29', 'T12:00', ':30', '.5', '.123456', 'Z', '+01:00', '-11:30', 'T24:00'],
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
      const text = parts.join('');
      const reading = readTime(text);
      if ('time' in reading) expect(linkStateOf({ expiresAt: text }).expiresAt).toBe(reading.time);
    }),
    { numRuns: runs(200) },
  );
});

test('every field that differs is named, before and after', () => {
  const { changes } = stepOn(
    { payload: { ...payload, campaign: { utm_source: 'mail' } }, status: 'PAUSED', tags: ['b'] },
    present({ name: 'Old', payload: { ...payload, campaign: { utm_source: 'poster', utm_term: 'x' } } }),
  );
  expect(changes).toEqual([
    { field: 'name', from: 'Old', to: undefined },
    { field: 'payload.campaign.utm_source', from: 'poster', to: 'mail' },
    { field: 'payload.campaign.utm_term', from: 'x', to: undefined },
    { field: 'tags', from: ['managed:web'], to: ['b', 'managed:web'] },
    { field: 'status', from: 'ACTIVE', to: 'PAUSED' },
  ]);
});

describe('orphans', () => {
  const orphan = (fields: object = {}, orphans: PlanOptions['orphans'] = 'keep') =>
    stepsOf(wanted({}), { found: new Map(), owned: [present(fields)] }, { ...options, orphans });

  test('are kept, and paused on demand', () => {
    expect(orphan()).toEqual([{ action: 'orphan', code: 'abc', owner: 'web', pauses: false }]);
    expect(orphan({}, 'pause')).toEqual([{ action: 'orphan', code: 'abc', owner: 'web', pauses: true }]);
  });

  test.each([
    { status: 'PAUSED' },
    { status: 'EXPIRED' },
    { status: 'PAUSED', blocked: true },
    { tags: ['managed:web', 'managed:shop'] },
  ])('are left unchanged with %j', (fields) => {
    expect(orphan(fields, 'pause')).toMatchObject([{ action: 'orphan', pauses: false }]);
  });
});

test('lines are those of a review: by code, unchanged ones only counted', () => {
  const found = new Map<string, Found>([
    ['new', 'free'],
    ['old', present({ code: 'old', name: 'Old' })],
    ['same', present({ code: 'same' })],
    ['stop', present({ code: 'stop' })],
    ['wake', present({ code: 'wake', status: 'PAUSED' })],
    ['gone', 'taken'],
  ]);
  const entries = Object.fromEntries([...found.keys()].map((code) => [code, { payload }]));
  const files = wanted({
    ...entries,
    new: { payload, status: 'PAUSED' },
    old: { name: 'New\u200b', payload: { ...payload, query: 'append' }, tags: ['a'] },
    stop: { payload, status: 'PAUSED' },
  });
  const steps = stepsOf(
    files,
    { found, owned: [present({ code: 'lost' })] },
    { ...options, orphans: 'pause' },
  );
  expect(planLines(steps)).toEqual([
    '! refused gone: a deleted link had this code, which stays taken',
    '- orphan lost: to be paused',
    '+ create new: begins paused',
    '~ update old',
    '    name: Old → "New\\u{200b}"',
    '    payload.query: (none) → append',
    '    tags: [managed:web] → [a, managed:web]',
    '▮ pause stop',
    '▶ activate wake',
    '1 create, 1 update, 1 pause, 1 activate, 1 unchanged, 1 refused, 1 orphan',
  ]);
});

test("no line is a command of GitHub's runner", () => {
  const found = new Map<string, Found>([['abc', present({ name: 'Launch ##[add-mask]e', tags: ['##[a]'] })]]);
  const steps = stepsOf(
    wanted({ abc: { name: 'New', payload, tags: [] } }),
    { found, owned: [] },
    { ...options, adopt: true },
  );
  const refused: Step = { action: 'refused', code: 'b', owner: 'web', reason: 'no ##[error]' };
  const lines = planLines([...steps, refused]);
  expect(lines.join('\n')).not.toContain('##[');
  expect(lines).toContain('    name: "Launch #\\u{23}[add-mask]e" → New');
  expect(lines).toContain('! refused b: no #\\u{23}[error]');
});
