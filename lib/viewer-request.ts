import { readFileSync } from 'node:fs';
import path from 'node:path';
import { characterBytes, shortPath } from '../core/hosts/short-address.ts';
import { notFoundJson, notFoundPage } from '../core/pages/notice-page.ts';
import { closingMarks } from './closing-marks.ts';

/** The edge function's source: shared constants, then viewer-request.js without comments, because its size is limited. */
export const viewerRequestSource = (abuseContact?: string): string => {
  const { html, headers } = notFoundPage(abuseContact);
  // CloudFront Functions need header names in lower case.
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const notFound = JSON.stringify({ html, json: notFoundJson, headers: Object.fromEntries(named) });
  const code = readFileSync(path.join(import.meta.dirname, 'viewer-request.js'), 'utf8').replace(
    /^ *(\/\/.*\n)?/gm,
    '',
  );
  const constants = { notFound, shortPath, characterBytes, closingMarks: `'${closingMarks}'` };
  const lines = Object.entries(constants).map(([name, value]) => `const ${name} = ${value};\n`);
  const source = lines.join('') + code;
  // CloudFormation returns other characters as question marks, so every diff would show the function.
  return source.replace(/[^\0-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
};
