import { dynamodbLocalFault } from './dynamodb-local.ts';
import { hasDynoxide } from './dynoxide.ts';
import type { EngineOptions } from './engine.ts';

/**
 * The default engine: dynoxide, or DynamoDB Local if dynoxide is missing and Java is installed. `say` gets a
 * line about it.
 */
export const usableEngine = (say: (line: string) => void): EngineOptions['engine'] => {
  if (hasDynoxide() || dynamodbLocalFault() !== undefined) return 'dynoxide';
  say(`There is no dynoxide for ${process.platform}-${process.arch} here; taking DynamoDB Local`);
  return 'dynamodb-local';
};
