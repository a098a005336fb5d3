import path from 'node:path';
import { app, sources } from '../bin/local/app.ts';
import { synthesize } from '../local/synthesis.ts';

/** The service's assembly, as npm start keeps it. */
export const assemble = (): Promise<string> =>
  synthesize({ app, sources, context: {}, output: path.join(app, 'cdk.out', 'local') });
