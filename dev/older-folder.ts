import { existsSync } from 'node:fs';
import path from 'node:path';
import { OperatorError } from '../ops/base/operator-error.ts';

/** Throws OperatorError for a data folder of 1.2 or older, which 1.3 converts. */
export const refuseOlderFolder = (data: string): void => {
  if (existsSync(path.join(data, 'dynamodb', 'dynamodb.sqlite')))
    throw new OperatorError(
      `The data folder ${data} is of version 1.2 or older: start 1.3 on it once, then this version`,
    );
};
