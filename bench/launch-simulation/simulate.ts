import type { LambdaFunctionURLEvent } from 'aws-lambda';
import type { VisitorReads } from '../../core/cached-reads/visitor-reads.ts';
import { figureStore } from '../../core/figures/figure-store.ts';
import { groupsFor } from '../../core/links/visitor-groups.ts';
import { shortLinkStore } from '../../core/short-urls/short-link-store.ts';
import { appKey, linkKey } from '../../core/table/keys.ts';
import { openItems } from '../../core/table/port.ts';
import { forBackground, forClicks, once, type RetryPolicy } from '../../core/table/retry-policy.ts';
import { wireItem } from '../../core/table/wire-values.ts';
import { clickQueue } from '../../core/visits/click-queue.ts';
import { clickStore } from '../../core/visits/click-store.ts';
import { excludedStore } from '../../core/visits/excluded-store.ts';
import { lateClickStore } from '../../core/visits/late-click-store.ts';
import { openReads } from '../../lambdas/frame/open-reads.ts';
import { clickRecorder, forLateClicks } from '../../lambdas/queues/record-clicks.ts';
import { redirect } from '../../lambdas/short-urls/redirect.ts';
import { aggregator } from '../../lambdas/streams/aggregate-clicks.ts';
import { CopyAges } from './copy-ages.ts';
import { FirewallModel } from './firewall.ts';
import { FleetModel } from './fleet-model.ts';
import { collectMetrics } from './metrics.ts';
import { QueueModel } from './queue-model.ts';
import { resultOf, type ScenarioResult } from './result.ts';
import { type Scenario, secondsOf } from './scenarios.ts';
import { StreamModel } from './stream-model.ts';
import { TableModel } from './table-model.ts';
import { VirtualClock } from './virtual-clock.ts';
import { link, Visitors, visitorSecret } from './visitors.ts';
import type { Answers, World } from './world.ts';

/** The start. A few visits come first, so that running containers have seen the link. */
const noon = Date.UTC(2026, 10, 22, 12);
const partitionsOfNewTable = 4;
const splitAfterSeconds = 600;
/** The queue's consumer: concurrent invocations, messages in each, and visitors in work at once. */
const consumer = { invocations: 5, messages: 1000, visitors: 32 };
/** Batch size of the stream's consumer. */
const recordsInBatch = 1000;

/** Runs a scenario with the service's own modules on a virtual clock. */
export const simulate = async (scenario: Scenario): Promise<ScenarioResult> => {
  const clock = new VirtualClock(noon);
  const restore = clock.install();
  const metrics = collectMetrics();
  try {
    const world = build(scenario, clock);
    const answers = visitAll(world);
    await clock.run();
    return resultOf(world, answers, metrics.of);
  } finally {
    metrics.stop();
    restore();
  }
};

const build = (scenario: Scenario, clock: VirtualClock): World => {
  const { visits, isPrepared, scale, queueRefuses: refuses = 0, splits = true, firewall } = scenario;
  const warm = Math.ceil((visits / 1000) * (scenario.partitions ?? 1));
  const table = new TableModel({
    clock,
    scale,
    count: isPrepared ? Math.max(partitionsOfNewTable, warm) : partitionsOfNewTable,
    splitAfterSeconds: splits ? splitAfterSeconds : Number.POSITIVE_INFINITY,
  });
  const groups = isPrepared ? groupsFor(visits) : 1;
  putLink(table, groups);
  const inFlight = consumer.invocations / scale;
  const queue = new QueueModel({
    clock,
    refuses,
    batchSize: Math.ceil(consumer.messages * inFlight),
    consume: clickRecorder(
      { lateClicks: lateClickStore(itemsOf(table)(forLateClicks)) },
      { visitorsAtOnce: Math.ceil(consumer.visitors * inFlight) },
    ),
  });
  const stream = new StreamModel({
    clock,
    batchSize: Math.ceil(recordsInBatch / scale),
    // One update covers many clicks, as on AWS, so updates aren't scaled down.
    consume: aggregator({ stores: { figures: figureStore(itemsOf(table, 1 / scale)(forBackground)) } }),
  });
  table.onChange = (change) => {
    if (String(change.keys.PK?.S).startsWith('VISITOR#')) stream.take(change);
  };
  const ages = new CopyAges(clock);
  const fleet = new FleetModel({
    clock,
    scale,
    quota: scenario.quota,
    provisioned: isPrepared ? Math.ceil(visits / 10) : 0,
    start: () => container(table, queue, ages),
  });
  return {
    ...{ scenario, clock, table, queue, stream, fleet, ages, groups },
    visitors: new Visitors(clock, firewall?.ofOneAddress),
    firewall: firewall && new FirewallModel({ clock, scale, ...firewall }),
  };
};

const itemsOf =
  (table: TableModel, weight = 1) =>
  (policy: RetryPolicy) =>
    openItems(table.transport({ weight }), { name: 'links', policy });

/** A link with a saved app for phones. */
const putLink = (table: TableModel, groups: number): void => {
  const { project, code } = link;
  const payload = {
    link: 'https://example.com/landing?from=television',
    iosAppId: 'ios',
    androidAppId: 'android',
  };
  const stored = { project, code, status: 'ACTIVE', payload, ...(groups > 1 && { groups }) };
  table.put(wireItem({ ...linkKey(project, code), ...stored }));
  const ios = {
    id: 'ios',
    platform: 'ios',
    name: 'App',
    appStoreId: '123456789',
    bundleId: 'com.example.app',
  };
  const android = { id: 'android', platform: 'android', name: 'App', packageName: 'com.example.app' };
  for (const app of [ios, android]) table.put(wireItem({ ...appKey(project, app.id), ...app }));
};

/** An environment of the redirect, composed as in lambdas/redirect.ts. */
const container = (table: TableModel, queue: QueueModel, ages: CopyAges) => {
  const tableFor = ages.noting(table.transport({ weight: 1 }));
  const reads: VisitorReads = tableFor.watch(openReads(tableFor.open));
  return redirect({
    stores: {
      shortLinks: shortLinkStore(reads, link.host),
      clicks: clickStore(tableFor.open(forClicks)),
      excluded: excludedStore(tableFor.open(once)),
    },
    visitorSecret,
    uniqueWindowSeconds: 90 * 86_400,
    enqueueClick: clickQueue(() => queue.transport, 'queue'),
  });
};

const visitAll = (world: World): Answers => {
  const { scenario, clock, table, visitors } = world;
  const { scale, away } = scenario;
  const delays: number[] = [];
  const answers: Answers = {
    visits: 0,
    redirected: 0,
    busy: 0,
    busyEarly: 0,
    throttled: 0,
    refused: 0,
    failed: 0,
    busySeconds: new Set(),
    delays,
  };
  const begun = clock.now;
  const come = async () => {
    for (let seconds = 0; seconds < secondsOf(scenario); seconds = (clock.now - begun) / 1000) {
      await clock.after(((1000 * scale) / rateOf(scenario, seconds)) * (0.5 + clock.random()));
      void visit(world, answers, visitors.next());
    }
  };
  if (away) {
    clock.at(begun + away.from * 1000, () => {
      table.fault = away.how;
    });
    clock.at(begun + away.to * 1000, () => {
      table.fault = undefined;
    });
  }
  void come();
  return answers;
};

/** Visits per second at a time. */
const rateOf = ({ visits, riseSeconds, holdSeconds, tail }: Scenario, seconds: number): number => {
  const since = Math.max(0, seconds - riseSeconds - holdSeconds);
  return visits * Math.min(1, (seconds + 0.05) / riseSeconds) * 0.5 ** (since / (tail?.halvesIn ?? 1));
};

/** A visitor opens the link and retries while the busy page asks for it. After a 429, the visitor leaves or reloads. */
const visit = async (world: World, answers: Answers, visitor: number): Promise<void> => {
  const { scenario, clock, fleet, visitors, firewall } = world;
  const event: LambdaFunctionURLEvent = visitors.event(visitor);
  answers.visits += 1;
  if (firewall && visitors.isOfCarrier(visitor) && !firewall.admits()) {
    answers.refused += 1;
    return reload(world, answers, visitor);
  }
  const outcome = await fleet.request(event);
  if (outcome.kind === 'throttled') {
    answers.throttled += 1;
    await reload(world, answers, visitor);
  } else if (outcome.kind === 'failed') answers.failed += 1;
  else if (outcome.statusCode === 302) {
    answers.redirected += 1;
    answers.delays.push(outcome.ms);
    visitors.wasSentOn(visitor);
  } else if (outcome.statusCode === 503) {
    answers.busy += 1;
    const second = Math.floor((clock.now - clock.startedAt) / 1000);
    answers.busySeconds.add(second);
    if (second < (scenario.away?.from ?? 0) + 5) answers.busyEarly += 1;
    await clock.after(2000 + 2000 * clock.random());
    await visit(world, answers, visitor);
  } else throw new Error(`A visitor got ${outcome.statusCode}`);
};

const reload = async (world: World, answers: Answers, visitor: number): Promise<void> => {
  const { clock, scenario } = world;
  if (!scenario.reloads || clock.random() >= scenario.reloads) return;
  await clock.after(1000 + 4000 * clock.random());
  await visit(world, answers, visitor);
};
