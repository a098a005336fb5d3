import { readFileSync } from 'node:fs';
import path from 'node:path';
import { shortPath } from '../core/hosts/short-address.ts';
import type { HtmlPage } from '../core/pages/html.ts';
import { notFoundJson, notFoundPage } from '../core/pages/notice-page.ts';

/** The source of the edge function: what the service states elsewhere, then viewer-request.js. */
export const viewerRequestSource = (abuseContact?: string): string => {
  const page: (abuseContact?: string) => HtmlPage = notFoundPage;
  const { html, headers } = page(abuseContact);
  const stated = {
    notFound: { html, json: notFoundJson, headers: lowerCase(headers) },
  };
  const constants = Object.entries(stated).map(
    ([name, value]) => `const ${name} = ${JSON.stringify(value)};\n`,
  );
  const code = readFileSync(path.join(import.meta.dirname, 'viewer-request.js'), 'utf8');
  return `${constants.join('')}const shortPath = ${shortPath};\n${code}`;
};

/** As CloudFront Functions name headers. */
const lowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
