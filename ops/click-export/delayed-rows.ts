import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { firehoseStream } from '../../core/click-export/firehose.ts';
import { connect } from '../../core/table/connection.ts';
import { forOperators, retrier } from '../../core/table/retry-policy.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { DeploymentAccess } from '../deployment/deployment.ts';
import { operatorAccess } from '../deployment/service-access.ts';

/**
 * Puts rows from files below a folder into the export. Repeating it is harmless, because the query removes duplicate
 * rows. Throws OperatorError.
 */
export const redriveRows = async (
  deployment: Pick<DeploymentAccess, 'access' | 'clickExportStream'>,
  folder: string,
  progress: (line: string) => void,
) => {
  const { clickExportStream: stream } = deployment;
  if (!stream) throw new OperatorError('This stack has no export of clicks: deploy it with -c export=on');
  const put = firehoseStream(
    connect(await operatorAccess('firehose', { client: deployment.access })),
    stream,
  );
  const repeat = retrier({ policy: forOperators });
  const names = await filesIn(folder);
  let rows = 0;
  for (const [done, name] of names.entries()) {
    const data = await readFile(name, 'utf8');
    // Each file is one record of Firehose; the service keeps files small enough.
    const [isTaken] = await repeat((attempt) => put([data], attempt));
    if (!isTaken) throw new OperatorError(`Firehose has refused ${name}; repeat the command later`);
    rows += data.split('\n').filter(Boolean).length;
    progress(`${done + 1} of ${names.length} files, ${rows.toLocaleString('en')} rows`);
  }
  return { files: names.length, rows };
};

const filesIn = async (folder: string): Promise<string[]> => {
  const found = await readdir(folder, { recursive: true }).catch(() => {
    throw new OperatorError(`${folder} can't be read as a folder`);
  });
  const names = found.filter((name) => name.endsWith('.ndjson')).sort();
  if (names.length === 0) throw new OperatorError(`${folder} has no .ndjson files`);
  return names.map((name) => path.join(folder, name));
};
