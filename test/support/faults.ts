import { type FaultyEngine, startFaultyEngine } from '../../local/testing/faulty-engine.ts';
import type { TestTable } from './engine.ts';
import { ofFile } from './of-file.ts';

/** A way to the table of a file's tests on which a test lets calls fail. */
export const fileFaults = (db: Pick<TestTable, 'endpoint'>): FaultyEngine => {
  const faulty = ofFile(() => startFaultyEngine(db.endpoint));
  afterEach(() => {
    faulty.fault = () => 'none';
  });
  return faulty;
};

/** Loses the response to the next call that fits, after it is made. Returns how many were lost. */
export const loseNext = (
  faulty: FaultyEngine,
  fits: (operation: string, body: string) => boolean = () => true,
): (() => number) => {
  let lost = 0;
  faulty.fault = (operation, body) => {
    if (lost > 0 || !fits(operation, body)) return 'none';
    lost += 1;
    return 'lose-answer';
  };
  return () => lost;
};
