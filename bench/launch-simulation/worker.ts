import { parentPort } from 'node:worker_threads';
import type { Scenario } from './scenarios.ts';
import { simulate } from './simulate.ts';

// Throttling makes many errors, whose stacks are unused.
Error.stackTraceLimit = 0;
// A thread has its own clock, so that two scenarios can be played at the same time.
parentPort?.on('message', async (scenario: Scenario) => parentPort?.postMessage(await simulate(scenario)));
