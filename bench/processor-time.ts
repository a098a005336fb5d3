import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Processor time of a stack and its engine in milliseconds since their starts. */
export type ProcessorTime = () => number;

/** Linux counts in hundredths of a second. */
const tickMs = 10;

/** Processor time by the data folder of a running stack; undefined except on Linux. */
export const processorTimeOf = (data: string): ProcessorTime | undefined => {
  if (process.platform !== 'linux') return undefined;
  const processes = processesOf(data);
  return () => processes.reduce((sum, one) => sum + usedBy(one), 0);
};

export const processesOf = (data: string): readonly number[] => {
  const { pid, enginePid } = JSON.parse(readFileSync(path.join(data, 'dynamodb/engine.json'), 'utf8'));
  return [...new Set([pid, enginePid])];
};

/** User and system time stand behind the process's name, which may hold spaces. */
const usedBy = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
};

/** Resolves when the stack is almost idle, so that one load doesn't disturb the next. */
export const quiet = async (used: ProcessorTime): Promise<void> => {
  for (let [before, now] = [0, used()]; now - before > 30; ) {
    await delay(500);
    [before, now] = [now, used()];
  }
};
