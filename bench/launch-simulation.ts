import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { faultsOf, type ScenarioResult } from './launch-simulation/result.ts';
import { type Scenario, scenarios } from './launch-simulation/scenarios.ts';
import { aligned, type Figure, type Section } from './report.ts';

const threads = 2;

/** Simulates links with more visits than the table can take, with the service's own modules. */
export const launchSimulation = async (): Promise<Section> => {
  const results = await playAll();
  const faults = results.flatMap((result) =>
    faultsOf(result).map((fault) => `${result.scenario.name}: ${fault}`),
  );
  return {
    title: 'A link that the whole country opens (a simulation on a virtual clock)',
    figures: results.flatMap(figuresOf),
    text: [
      aligned([header, ...results.map(rowOf)]),
      ...(faults.length > 0
        ? ['WRONG:', ...faults]
        : ['Nothing is lost, double or an error that should not be.']),
    ].join('\n'),
    isWrong: faults.length > 0,
  };
};

const playAll = async (): Promise<ScenarioResult[]> => {
  const results = new Map<string, ScenarioResult>();
  const left = scenarios.values();
  const play = async () => {
    const worker = new Worker(path.join(import.meta.dirname, 'launch-simulation/worker.ts'));
    try {
      for (const scenario of left) results.set(scenario.name, await played(worker, scenario));
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: threads }, play));
  return scenarios.flatMap(({ name }) => results.get(name) ?? []);
};

const played = (worker: Worker, scenario: Scenario): Promise<ScenarioResult> => {
  const { promise, resolve, reject } = Promise.withResolvers<ScenarioResult>();
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.postMessage(scenario);
  return promise.finally(() => worker.removeListener('error', reject));
};

type Column = readonly [name: string, unit: string, read: (result: ScenarioResult) => number];

const columns: readonly Column[] = [
  ['visits', '', ({ visits }) => visits],
  ['redirected', '', ({ redirected }) => redirected],
  ['503', '', ({ busy }) => busy],
  ['503 before 5 s', '', ({ busyEarly }) => busyEarly],
  ['429', '', ({ throttled }) => throttled],
  ["firewall's 429", '', ({ refused }) => refused],
  ['502/504', '', ({ failed }) => failed],
  ['queued', '', ({ queued }) => queued],
  ['counted', '', ({ counted }) => counted],
  ['lost', '', ({ lost }) => lost],
  ['double', '', ({ double }) => double],
  ['ClickLost', '', ({ clickLost }) => clickLost],
  ['uncertain', '', ({ clickUncertain }) => clickUncertain],
  ['complete after', 's', ({ completeAfterSeconds }) => Math.round(completeAfterSeconds)],
  ['oldest copy', 'ms', ({ oldestCopyMs }) => Math.round(oldestCopyMs)],
  ['p99', 'ms', ({ delayP99Ms }) => Math.round(delayP99Ms)],
  ['busy at once', '', ({ environments }) => environments],
  ['cost', 'USD', ({ dollars }) => Number(dollars.toFixed(2))],
];

const header = ['', ...columns.map(([name, unit]) => (unit ? `${name}, ${unit}` : name)), '503 in seconds'];

const rowOf = (result: ScenarioResult): string[] => [
  result.scenario.name,
  ...columns.map(([, , read]) => read(result).toLocaleString('en-US')),
  result.busyFrom === undefined ? '' : `${result.busyFrom} to ${result.busyTo}`,
];

const figuresOf = (result: ScenarioResult): Figure[] =>
  columns.map(([name, unit, read]) => ({
    name: `${result.scenario.name}: ${name}`,
    value: read(result),
    unit,
  }));
