import fc from 'fast-check';
import { examplePayload } from '../../core/links/example-payload.ts';
import { userAgents } from '../../ops/base/user-agents.ts';
import { newLink } from '../support/api.ts';
import type { ApiResponse } from '../support/local-stack.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';
import { type Received, startReceiver } from '../support/webhook-receiver.ts';

const stack = sharedStack();
const project = projectOn(stack);

const marker = 'cauliflower';
const data = { [`name-${marker}`]: `https://example.com/${marker}?a=${marker}`, other: marker };
const { interstitial, rules, data: _, ...settings } = examplePayload;
const payloads = [
  { link: 'https://example.com/' },
  { ...settings, query: 'ignore' },
  { ...settings, interstitial: 'always' },
  { ...settings, rules },
];

/** A visitor's request of a short URL. */
const visits = fc.record({
  link: fc.nat({ max: payloads.length - 1 }),
  file: fc.constantFrom('', '', '', '/', '/qr.png', '/qr.svg', '/link.json', '/open.json', '/none'),
  query: fc.constantFrom(
    '',
    '?d=1',
    '?qr',
    '?platform=ios',
    '?platform=android&openId=0123456789abcdef',
    '?x=1&d=1',
  ),
  method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST'),
  agent: fc.constantFrom(...Object.values(userAgents), 'Twitterbot/1.0', 'curl/8.5.0', 'okhttp/4.12.0', ''),
  accept: fc.constantFrom('text/html', 'application/json'),
  language: fc.constantFrom('en', 'de', 'pt-BR'),
});

/** Everything of a response but its time and ids. */
const shownOf = ({ status, headers, text }: ApiResponse) => {
  const lasting = [...headers].filter(([name]) => !/^(date|x-amz.*|via|age|etag|content-length)$/.test(name));
  return { status, headers: Object.fromEntries(lasting), text };
};

/** A JSON text without the data of payloads. */
const outside = (text: string): string =>
  JSON.stringify(JSON.parse(text), (name, value) =>
    name === 'payload' ? { ...value, data: undefined } : value,
  );

test("an app's data appears with its link's payload and for apps, and nowhere else", async () => {
  const receiver = await startReceiver();
  const hook = await stack.admin(
    'webhook',
    'create',
    receiver.url,
    '--project',
    project.id,
    '--events',
    'all',
  );
  const links = await Promise.all(payloads.map((payload) => newLink(project, { name: 'A link', payload })));
  const walk = fc.sample(visits, { numRuns: 150, seed: 11 });
  const visitAll = async () => {
    const answers: ReturnType<typeof shownOf>[] = [];
    for (const { link, file, query, method, agent, accept, language } of walk) {
      const headers = { 'User-Agent': agent, Accept: accept, 'Accept-Language': language };
      const path = `/${project.id}/${links[link]?.code}${file}${query}`;
      answers.push(shownOf(await stack.visit(path, headers, method)));
    }
    return answers;
  };
  const before = await visitAll();
  for (const { code } of links) {
    const { status } = await project.call('PATCH', `/links/${code}`, { payload: { data } });
    expect(status).toBe(200);
  }
  const after = await visitAll();
  let [shown, same] = [0, 0];
  for (const [i, answer] of after.entries()) {
    const isForApp =
      answer.status === 200 && /^\/(link|open)\.json/.test(walk[i]?.file ?? '') && answer.text !== '';
    if (!isForApp) {
      expect({ visit: walk[i], ...answer }).toEqual({ visit: walk[i], ...before[i] });
      same += 1;
      continue;
    }
    expect(JSON.parse(answer.text)).toEqual({ ...JSON.parse(before[i]?.text ?? ''), data });
    expect(JSON.parse(before[i]?.text ?? '').data).toBeNull();
    expect(JSON.stringify(answer.headers)).not.toContain(marker);
    shown += 1;
  }
  expect(Math.min(shown, same)).toBeGreaterThan(5);

  const [one, two] = links.map(({ code }) => code as string);
  const calls: [method: string, path: string, body?: object][] = [
    ['GET', `/links/${one}`],
    ['GET', '/links'],
    ['GET', '/links?search=cauliflower'],
    ['GET', '/links?cursor='],
    ['GET', `/links/check/${one}`],
    ['GET', '/tags'],
    ['GET', '/usage'],
    ['GET', `/analytics?code=${one}&groupBy=count,timeseries,countries`],
    ['GET', '/mobile-apps'],
    ['POST', '/links', { payload: { ...payloads[1], data } }],
    ['POST', '/links', { code: one, payload: { link: 'https://example.com/', data } }],
    ['POST', '/links', { payload: { link: 'none', data } }],
    ['POST', '/links/bulk', { links: [{ payload: { ...payloads[2], data } }, { payload: { data } }] }],
    [
      'PUT',
      `/links/${one}`,
      { payload: { link: 'https://example.com/', data: { ...data, bad: `\0${marker}` } } },
    ],
    ['PATCH', `/links/${one}`, { payload: { data: { other: `${marker}2`, bad: `${marker}`.repeat(99) } } }],
    ['PATCH', `/links/${one}`, { payload: { data: { other: `${marker}2` } } }],
    ['PUT', `/links/${one}/status`, { status: 'PAUSED' }],
    ['DELETE', `/links/${two}`],
  ];
  for (const [method, path, body] of calls) {
    const { status, headers, text } = await project.call(method, path, body);
    expect([method, path, status]).toEqual([method, path, expect.any(Number)]);
    expect(status).toBeLessThan(500);
    expect(outside(text) + JSON.stringify([...headers])).not.toContain(marker);
    if (path === `/links/${one}` && method === 'GET')
      expect(JSON.parse(text).data.payload.data).toEqual(data);
    if (path.includes('search')) expect(JSON.parse(text).data).toEqual([]);
  }

  await receiver.events('link.deleted');
  await receiver.events('app.opened');
  await receiver.events('link.clicked');
  const delivered = receiver.received.map(({ body }: Received) => body);
  expect(delivered.filter((body) => body.includes(marker)).length).toBeGreaterThan(0);
  for (const body of delivered) expect(outside(body)).not.toContain(marker);
  for (const { headers } of receiver.received) expect(JSON.stringify(headers)).not.toContain(marker);
  expect(stack.log()).not.toContain(marker);
  await stack.admin('webhook', 'delete', hook.id, '--project', project.id);
  await receiver.stop();
});
