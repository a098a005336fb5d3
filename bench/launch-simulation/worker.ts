import { parentPort } from 'node:worker_threads';
import type { Scenario } from './scenarios.ts';
import { simulate } from './simulate.ts';

// Refusals are many, and nobody reads where they come from.
Error.stackTraceLimit = 0;
// A thread has its own clock, so that two scenarios can be played at the same time.
parentPort?.on('message', async (scenario: Scenario) => parentPort?.postMessage(await simulate(scenario)));
