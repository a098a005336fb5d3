import { dimensionList, noValues } from '../analytics/dimensions.ts';
import { type EventType, eventDescriptions, eventTypes } from '../events/event.ts';
import { answeredAt, exampleListed } from './examples.ts';
import { capitalized, type namer, type Schemas } from './openapi-names.ts';
import { parts } from './openapi-parts.ts';

/* Requests that webhooks get. */

export const exampleClick = Object.assign(
  { ...noValues },
  { platform: 'ios', country: 'DE', browser: 'safari', os: 'ios', trigger: 'qr' },
);

const { clickCount, ...exampleLink } = exampleListed;
const visit = { id: 'c2Vjb25k', code: exampleLink.code };

const examples: Readonly<Record<string, unknown>> = {
  ...exampleLink,
  ...parts.eventExamples,
  link: exampleLink,
  clicks: [{ ...visit, clickedAt: answeredAt, unique: true, ...exampleClick }],
  opens: [{ ...visit, openedAt: answeredAt, platform: 'ios', first: true }],
};

/** Fields of an event's `data`; clicks also have their dimensions. */
const fields = (): Schemas => {
  const { clicks, ...others } = parts.eventFields;
  const { properties, required = [], ...click } = clicks?.items ?? {};
  const ofDimensions = Object.fromEntries(dimensionList.map(({ field }) => [field, { type: 'string' }]));
  const always = dimensionList.flatMap(({ field, storesAll }) => (storesAll ? [field] : []));
  const items = {
    ...click,
    properties: { ...properties, ...ofDimensions },
    required: [...required, ...always],
  };
  return { ...others, clicks: { ...clicks, items } };
};

export const eventWebhooks = (schemas: Schemas, { place, register }: ReturnType<typeof namer>) => {
  const { properties = {}, required = [], type } = schemas.ListedLink ?? {};
  const { clickCount, ...shown } = properties;
  register('EventLink', { type, properties: shown, required: required.filter((name) => name in shown) });
  const all = fields();
  const webhook = (type: EventType | 'webhook.test', says: string) => {
    const names = ['project', ...parts.events[type]];
    const pick = <Value>(of: Readonly<Record<string, Value>>) =>
      Object.fromEntries(names.map((name) => [name, of[name]])) as Record<string, Value>;
    const data = { type: 'object', description: 'What happened.', properties: pick(all), required: names };
    const envelope = { ...parts.event.properties, type: { type: 'string', const: type }, data };
    const summary = `An event of ${says}`;
    const event = { ...parts.event, description: `${summary}.`, properties: envelope };
    const value = { id: 'evt_1', type, timestamp: answeredAt, data: pick(examples) };
    const json = { schema: place(event, capitalized(type), 'event'), examples: { event: { value } } };
    const requestBody = { required: true, content: { 'application/json': json } };
    return { post: { operationId: `on${capitalized(type)}`, summary, ...parts.webhook, requestBody } };
  };
  return Object.fromEntries([
    ...eventTypes.map((type) => [type, webhook(type, eventDescriptions[type].says)]),
    ['webhook.test', webhook('webhook.test', 'the command `webhook test`')],
  ]);
};
