import path from 'node:path';

/** Folder of the CDK app. */
export const app = path.join(import.meta.dirname, '../..');

/** What its assembly depends on. */
export const sources = [
  'bin/app.ts',
  'lib',
  'core',
  'lambdas',
  'cdk.json',
  'package.json',
  'package-lock.json',
];
