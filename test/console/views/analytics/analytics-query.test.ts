import * as fc from 'fast-check';
import { groupsCsv, seriesCsv } from '../../../../console/views/analytics/analytics-csv.ts';
import {
  type AnalyticsQuery,
  analyticsQueryOf,
  apiRange,
  intervalLabels,
  queryOfAnalytics,
  yesterday,
} from '../../../../console/views/analytics/analytics-query.ts';

test('the address of a view of analytics holds its whole state', () => {
  const day = fc
    .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  const asked: fc.Arbitrary<AnalyticsQuery> = fc.record(
    {
      interval: fc.constantFrom(...intervalLabels.map(([interval]) => interval)),
      compare: fc.boolean(),
      days: fc.record({ from: day, to: day }),
      only: fc.record({ group: fc.constantFrom('countries', 'rules'), name: fc.string() }),
    },
    { requiredKeys: ['interval', 'compare'] },
  );
  fc.assert(
    fc.property(asked, (one) => {
      const expected = one.days ? { ...one, interval: '30d' } : one;
      expect(analyticsQueryOf(new URLSearchParams(queryOfAnalytics(one)))).toEqual(expected);
    }),
  );
  expect(analyticsQueryOf(new URLSearchParams('interval=2y&from=1.2.2026&to=x&by=moons&is=Io'))).toEqual({
    interval: '30d',
    compare: false,
  });
});

test('days of a range are whole for the API', () => {
  const days = yesterday(Date.parse('2026-03-01T00:00:01Z'));
  expect(days).toEqual({ from: '2026-02-28', to: '2026-02-28' });
  // A date includes that whole day.
  expect(apiRange({ interval: '30d', compare: false, days })).toEqual({
    start: '2026-02-28',
    end: '2026-02-28',
  });
});

const start = '2026-02-28T00:00:00.000Z';
const analytics = {
  clicks: {
    count: { clicks: 3, uniqueClicks: 2 },
    timeseries: [{ start, clicks: 3, uniqueClicks: 2 }],
    referrers: [{ referrer: '=1+1', clicks: 3 }],
    links: [{ code: 'launch', clicks: 3 }],
  },
  opens: { count: { opens: 1, firstOpens: 0 }, timeseries: [{ start, opens: 1, firstOpens: 0 }] },
};

test('analytics are written as spreadsheets take them, and no name is a formula', () => {
  expect(seriesCsv(analytics)).toBe('start,clicks,uniqueClicks,opens\r\n2026-02-28T00:00:00.000Z,3,2,1\r\n');
  const earlier = {
    ...analytics,
    clicks: {
      ...analytics.clicks,
      timeseries: [{ start: '2026-02-27T00:00:00.000Z', clicks: 5, uniqueClicks: 1 }],
    },
  };
  expect(seriesCsv({ ...analytics, before: earlier })).toBe(
    'start,clicks,uniqueClicks,opens,clicksBefore\r\n2026-02-28T00:00:00.000Z,3,2,1,5\r\n',
  );
  const only = [{ start: '2026-02-28T00:00:00.000Z', clicks: 1 }];
  expect(seriesCsv({ ...analytics, only })).toBe('start,clicks\r\n2026-02-28T00:00:00.000Z,1\r\n');
  expect(groupsCsv(analytics)).toBe("group,name,clicks\r\nreferrers,'=1+1,3\r\nlinks,launch,3\r\n");
});
