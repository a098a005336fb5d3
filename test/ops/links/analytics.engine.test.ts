import { analyticsItemsOf } from '../../../core/analytics/analytics-items.ts';
import { eachDimension, noValues } from '../../../core/analytics/dimensions.ts';
import { analyticsChart } from '../../../ops/command-line/analytics-chart.ts';
import { linkAnalytics, projectAnalytics } from '../../../ops/links/analytics.ts';
import { removeLink } from '../../../ops/links/links.ts';
import { aClickRecord } from '../../support/builders.ts';
import { outputOf } from '../../support/command.ts';
import { newFolder } from '../../support/folder.ts';
import { fileDeployment, projectIn, storeLink, writeFacts } from '../../support/ops-deployment.ts';

const now = new Date('2026-11-21T10:00:00Z');
const code = 'launch';
const deployment = fileDeployment();
const folder = newFolder();
beforeAll(() => writeFacts(folder, deployment));
let project: string;
beforeEach(async () => {
  project = await projectIn(deployment);
  await storeLink(deployment, { project, code });
});

/** Counts a click for each of the fields. */
const click = async (...clicks: Parameters<typeof aClickRecord>[0][]): Promise<void> => {
  const records = clicks.map((fields, i) => aClickRecord({ project, code, ...fields }, i + 1));
  for (const item of analyticsItemsOf({ shard: 'shard', records }))
    await deployment.stores.analytics.add(item);
};
const at = (time: string) => Date.parse(time) / 1000;

const analytics = (days?: number) => linkAnalytics(deployment, { project, code }, { days, now });
const lines = (text: string) => text.split('\n');

test('analytics of the last days list every day, with sums and groups of only these days', async () => {
  await click(
    { at: at('2026-11-19T23:59:59Z'), unique: true, country: 'FR' },
    { at: at('2026-11-20T00:00:00Z'), unique: true, platform: 'ios' },
    { at: at('2026-11-21T09:00:00Z'), platform: 'ios' },
    { at: at('2026-11-21T09:00:00Z'), clicks: 0, opens: 1, firstOpens: 1 },
  );
  await deployment.stores.excluded.add({ project, code, reasons: { bot: 2 } });
  expect(await analytics(2)).toEqual({
    project,
    code,
    clicks: 3,
    uniques: 2,
    platforms: { ios: 2, web: 1 },
    countries: { DE: 2, FR: 1 },
    excluded: { bot: 2 },
    range: {
      count: { clicks: 2, uniqueClicks: 1 },
      opens: { opens: 1, firstOpens: 1 },
      series: [
        { start: '2026-11-20T00:00:00.000Z', clicks: 1, uniqueClicks: 1, opens: 0 },
        { start: '2026-11-21T00:00:00.000Z', clicks: 1, uniqueClicks: 0, opens: 1 },
      ],
      groups: {
        // The name for a click without a value.
        ...eachDimension(({ field }) => [{ name: noValues[field], clicks: 2 }]),
        platforms: [{ name: 'ios', clicks: 2 }],
        countries: [{ name: 'DE', clicks: 2 }],
        referrers: [{ name: 'direct', clicks: 2 }],
        browsers: [{ name: 'chrome', clicks: 2 }],
        os: [{ name: 'windows', clicks: 2 }],
        triggers: [{ name: 'link', clicks: 2 }],
        rules: [{ name: 'none', clicks: 2 }],
      },
    },
  });
  expect((await analytics()).range.series).toHaveLength(30);
  expect((await analytics(1000)).range.series).toHaveLength(1000);
  await expect(analytics(1001)).rejects.toThrow('--days must be at most 1000');
});

test('analytics are drawn as bars and lists', async () => {
  await click(
    { at: at('2026-11-20T00:00:00Z'), unique: true, clicks: 1500 },
    { at: at('2026-11-21T09:00:00Z'), country: 'FR' },
  );
  await deployment.stores.excluded.add({ project, code, reasons: { bot: 3, head: 1 } });
  const drawn = lines(analyticsChart(await analytics(3), undefined));
  expect(drawn.slice(0, 13)).toEqual([
    `${project}/launch from 2026-11-19 to 2026-11-21 in UTC`,
    '',
    '            Clicks  Visitors  App opens  First opens',
    'These days   1,501         1          0            0',
    'All time     1,501         1',
    '',
    'Day         Clicks  Visitors',
    '2026-11-19       0         0',
    `2026-11-20   1,500         1  ${'#'.repeat(40)}`,
    '2026-11-21       1         0  #',
    '',
    'Platforms',
    `Web        1,501  100 %  ${'#'.repeat(40)}`,
  ]);
  expect(drawn.slice(14, 17)).toEqual([
    'Countries',
    `Germany    1,500  100 %  ${'#'.repeat(40)}`,
    'France         1    0 %  #',
  ]);
  expect(drawn.slice(-3)).toEqual([
    'Visits that don’t count, all time',
    `Bots and scripts                   3   75 %  ${'#'.repeat(40)}`,
    `HEAD requests                      1   25 %  ${'#'.repeat(13)}`,
  ]);
});

test('bars fit the terminal', async () => {
  await click({ at: now.getTime() / 1000, clicks: 8 }, { at: at('2026-11-20T09:00:00Z'), clicks: 3 });
  for (const columns of [20, 80, 300]) {
    const width = Math.min(60, Math.max(10, columns - 40));
    const drawn = lines(analyticsChart(await analytics(2), columns));
    expect(drawn).toContain(`2026-11-21       8         0  ${'█'.repeat(width)}`);
    const cells = (width * 3) / 8;
    expect(
      drawn
        .find((line) => line.startsWith('2026-11-20'))
        ?.split('  ')
        .at(-1)?.length,
    ).toBe(Math.ceil(cells));
  }
});

test('long lists are cut, with the number of the rest', async () => {
  const referrers = Array.from({ length: 14 }, (_, i) => `r${i}.example`);
  await click(...referrers.map((referrer, i) => ({ at: now.getTime() / 1000, referrer, clicks: 20 - i })));
  const drawn = lines(analyticsChart(await analytics(), undefined));
  const first = drawn.indexOf('Referrers');
  expect(drawn[first + 10]).toMatch(/^r9\.example +11 /);
  expect(drawn[first + 11]).toBe('4 more      34   18 %');
});

test('a link without clicks has only sums', async () => {
  expect(lines(analyticsChart(await analytics(), 100))).toEqual([
    `${project}/launch from 2026-10-23 to 2026-11-21 in UTC`,
    '',
    '            Clicks  Visitors  App opens  First opens',
    'These days       0         0          0            0',
    'All time         0         0',
  ]);
});

test('analytics of a project have its busiest links, without those that are deleted', async () => {
  for (const other of ['gone', 'second']) await storeLink(deployment, { project, code: other });
  await removeLink(deployment, project, 'gone');
  const today = now.getTime() / 1000;
  await click(
    { at: today },
    { at: today, clicks: 3, code: 'second', tags: ['sale', 'print'], campaign: 'spring' },
    { at: today, clicks: 9, code: 'gone' },
  );
  const ofProject = await projectAnalytics(deployment, project, { days: 2, now });
  expect(ofProject.links).toEqual([
    { name: 'second', clicks: 3 },
    { name: 'launch', clicks: 1 },
  ]);
  const drawn = lines(analyticsChart(ofProject, undefined));
  expect(drawn.slice(drawn.indexOf('Campaigns'), -1).filter((line) => !line.startsWith('Sources'))).toEqual([
    'Campaigns',
    `No campaign  10   77 %  ${'#'.repeat(40)}`,
    `spring        3   23 %  ${'#'.repeat(12)}`,
    '',
    'Tags',
    `print  3   23 %  ${'#'.repeat(40)}`,
  ]);
  expect(drawn.slice(0, 12)).toEqual([
    `${project} from 2026-11-20 to 2026-11-21 in UTC`,
    '',
    '            Clicks  Visitors  App opens  First opens',
    'These days      13         0          0            0',
    '',
    'Day         Clicks  Visitors',
    '2026-11-20       0         0',
    `2026-11-21      13         0  ${'#'.repeat(40)}`,
    '',
    'Busiest links',
    `second         3   75 %  ${'#'.repeat(40)}`,
    `launch         1   25 %  ${'#'.repeat(13)}`,
  ]);
  await expect(projectAnalytics(deployment, 'nobody')).rejects.toThrow('There is no project nobody');
  await expect(projectAnalytics(deployment, project, { days: 1001 })).rejects.toThrow(
    '--days must be at most',
  );
});

test('the command prints the drawing, or everything as JSON', async () => {
  await click({ at: Date.now() / 1000 });
  const words = ['link', 'analytics', code, '--project', project, '--days', '7', '--data', folder];
  const printed = await outputOf(words);
  expect(printed).toContain(`${project}/launch from `);
  expect(printed).not.toContain('[object');
  expect(JSON.parse(await outputOf([...words, '--json']))).toMatchObject({
    clicks: 1,
    range: { count: { clicks: 1 } },
  });
});
