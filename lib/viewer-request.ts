import { readFileSync } from 'node:fs';
import path from 'node:path';
import { shortPath } from '../core/hosts/short-address.ts';
import { notFoundJson, notFoundPage } from '../core/pages/notice-page.ts';

/** The source of the edge function: what the service states elsewhere, then viewer-request.js. */
export const viewerRequestSource = (abuseContact?: string): string => {
  const { html, headers } = notFoundPage(abuseContact);
  // As CloudFront Functions name headers.
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const notFound = JSON.stringify({ html, json: notFoundJson, headers: Object.fromEntries(named) });
  const code = readFileSync(path.join(import.meta.dirname, 'viewer-request.js'), 'utf8');
  const source = `const notFound = ${notFound};\nconst shortPath = ${shortPath};\n${code}`;
  // CloudFormation gives other letters back as question marks, so that every diff would show the function.
  return source.replace(/[^\0-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
};
