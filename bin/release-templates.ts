import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { settingsOf } from '../lib/settings.ts';
import { synthesizedStacks } from '../ops/base/synthesized-stacks.ts';
import { templateContexts } from './template-contexts.ts';

/** The options of the stored templates: nearly all. */
export const releaseContext = templateContexts['prod on own domains'] ?? {};
/** Templates of the last release by stack name, and how the present ones may differ from them. */
export const releaseFiles = [
  'test/lib/upgrade/last-release.json.gz',
  'test/lib/upgrade/expected.json',
] as const;

/** Stores the present templates as the last release's, from which nothing differs. */
export const storeReleaseTemplates = (): void => {
  const [templates, expected] = releaseFiles;
  const all = synthesizedStacks({
    settings: settingsOf(releaseContext),
    read: (stacks) => Object.fromEntries(stacks.map(({ stackName, template }) => [stackName, template])),
  });
  mkdirSync(path.dirname(templates), { recursive: true });
  writeFileSync(templates, gzipSync(JSON.stringify(all), { level: 9 }));
  writeFileSync(expected, '[]\n');
};
