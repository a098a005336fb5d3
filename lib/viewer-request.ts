import { readFileSync } from 'node:fs';
import path from 'node:path';
import { characterBytes, shortPath } from '../core/hosts/short-address.ts';
import { notFoundJson, notFoundPage } from '../core/pages/notice-page.ts';
import { closingMarks } from './closing-marks.ts';
import type { Config } from './config.ts';

type ViewerRequestProps = Pick<Config, 'abuseContact' | 'standby'>;

/** The edge function's source: shared constants, then viewer-request.js without comments, because its size is limited. */
export const viewerRequestSource = ({ abuseContact, standby }: ViewerRequestProps = {}): string => {
  const { html, headers } = notFoundPage(abuseContact);
  // CloudFront Functions need header names in lower case.
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const notFound = JSON.stringify({ html, json: notFoundJson, headers: Object.fromEntries(named) });
  const constants = { notFound, shortPath, characterBytes, closingMarks: `'${closingMarks}'` };
  const lines = Object.entries(constants).map(([name, value]) => `const ${name} = ${value};\n`);
  const code = codeOf('viewer-request.js');
  const own = standby
    ? // CloudFront finds its helpers only by an import in the first line.
      `import cf from 'cloudfront';\n${lines.join('')}${code.replace('handler(event)', 'respond(event)')}${codeOf('failover.js')}`
    : lines.join('') + code;
  // CloudFormation returns other characters as question marks, so every diff would show the function.
  return own.replace(/[^\0-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
};

const codeOf = (file: string): string =>
  readFileSync(path.join(import.meta.dirname, file), 'utf8').replace(/^ *(\/\/.*\n)?/gm, '');
