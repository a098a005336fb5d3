import { DynamicLinks, type DynamicLinksError, type verifyWebhook } from '../../client/index.ts';
import type { EventData } from '../../client/webhook.ts';
import type { EventType } from '../../core/events/event.ts';

/* Checked only by the compiler: the code compiles, except each line below @ts-expect-error. */

type Equals<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
const holds = <_ extends true>(): void => undefined;

const dls = new DynamicLinks({ url: 'https://api.example.com', key: 'dls_key' });
// @ts-expect-error
new DynamicLinks({ url: 'https://api.example.com', apiKey: 'dls_key' });
// @ts-expect-error
new DynamicLinks({ url: 'https://api.example.com' });

export const linkTypes = async () => {
  const payload = { link: 'https://example.com/', ios: { app_store_id: '1' } };
  const link = await dls.links.create({ code: 'launch', payload, expiresAt: '2030-01-01' });
  holds<Equals<typeof link.shortUrl, string>>();
  // @ts-expect-error
  await dls.links.create({ alias: 'launch', payload });
  await dls.links.create({ payload, status: 'PAUSED' });
  // @ts-expect-error
  await dls.links.create({ payload, status: 'EXPIRED' });
  // @ts-expect-error
  await dls.links.update('launch', { payload, code: 'other' });
  // @ts-expect-error
  await dls.links.patch('launch', { code: 'other' });
  // @ts-expect-error
  await dls.links.patch('launch', { status: 'PAUSED' });
  // @ts-expect-error
  await dls.links.create({ payload: { url: 'https://example.com/' } });
  // @ts-expect-error
  await dls.links.create({ payload: { link: 'https://example.com/', ios: { appStoreId: '1' } } });
  // @ts-expect-error
  await dls.links.create({ payload }, { idempotency_key: 'a' });
  await dls.links.update('launch', { payload: { link: 'https://example.com/', social: null }, name: null });
  // @ts-expect-error
  await dls.links.update('launch', { name: 'New' });
  // @ts-expect-error
  await dls.links.setStatus('launch', 'EXPIRED');
  for await (const one of dls.links.list({ tag: ['a', 'b'], status: 'PAUSED' })) {
    holds<Equals<typeof one.payload.link, string>>();
    // @ts-expect-error
    one.originalUrl;
  }
  // @ts-expect-error
  dls.links.list({ tags: 'a' });
  const [result] = (await dls.links.createMany([{ payload }])).results;
  if (result?.success) holds<Equals<typeof result.link.code, string>>();
  // @ts-expect-error
  result?.link;
};

export const analyticsTypes = async () => {
  const count = await dls.analytics();
  holds<Equals<typeof count, { clicks: number; uniqueClicks: number }>>();
  const opens = await dls.analytics({ event: 'opens' });
  holds<Equals<typeof opens, { opens: number; firstOpens: number }>>();
  const series = await dls.analytics({ groupBy: 'timeseries', code: 'launch', interval: '7d' });
  holds<Equals<typeof series, { start: string; clicks: number; uniqueClicks: number }[]>>();
  const seriesOfOpens = await dls.analytics({ groupBy: 'timeseries', event: 'opens' });
  holds<Equals<typeof seriesOfOpens, { start: string; opens: number; firstOpens: number }[]>>();
  const platforms = await dls.analytics({ groupBy: 'platforms' });
  holds<Equals<typeof platforms, { platform: string; clicks: number }[]>>();
  const rules = await dls.analytics({ groupBy: 'rules', code: 'launch' });
  holds<Equals<typeof rules, { rule: string; clicks: number }[]>>();
  const links = await dls.analytics({ groupBy: 'links' });
  holds<Equals<typeof links, { code: string; clicks: number }[]>>();
  const excluded = await dls.analytics({ groupBy: 'excluded', code: 'launch' });
  holds<Equals<typeof excluded, { reason: string; visits: number }[]>>();
  const filtered = await dls.analytics({ groupBy: 'filtered', filter: 'country:DE' });
  holds<Equals<typeof filtered, { start: string; clicks: number }[]>>();
  // @ts-expect-error
  await dls.analytics({ groupBy: 'cities' });
  // @ts-expect-error
  await dls.analytics({ groupby: 'countries' });
  // @ts-expect-error
  count.countries;
};

export const eventTypes = (event: Awaited<ReturnType<typeof verifyWebhook>>) => {
  holds<Equals<keyof EventData, EventType | 'webhook.test'>>();
  if (event.type === 'link.clicked') {
    const [click] = event.data.clicks;
    if (click) holds<Equals<typeof click.code | typeof click.os, string>>();
    if (click) holds<Equals<typeof click.rule, string | undefined>>();
    // @ts-expect-error
    click?.visitor;
  }
  // @ts-expect-error
  if (event.type === 'link.opened') return;
  // @ts-expect-error
  event.data.clicks;
};

export const errorCodes = (error: DynamicLinksError) => {
  if (error.code === 'LINK_NOT_FOUND' || error.code === 'TIMEOUT') return;
  // @ts-expect-error
  if (error.code === 'LINK_NOT_FUOND') return;
};
