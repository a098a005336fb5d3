import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const usage = `Usage: npm run release -- X.Y.Z [--dry-run]

Run npm test, npm run check and npm run licenses first. Then this

- sets the version of all packages, package-lock.json and docs/openapi.json,
- gives "Unreleased" in CHANGELOG.md the version, today's date and the
  released commit,
- stores the templates, with which a nightly test compares the next version's,
- commits all, and makes the annotated tag vX.Y.Z. It pushes nothing.

Refuses a dirty work tree, a tag that exists, a version that isn't above all
in CHANGELOG.md, and a CHANGELOG.md without "Unreleased".

  --dry-run  only says what it would do`;

/** Folders of the other packages. */
const folders = ['client', 'construct', 'local', 'ops'];
const packages = ['package.json', ...folders.map((folder) => `${folder}/package.json`)];
const lock = 'package-lock.json';
const api = 'docs/openapi.json';
const notes = 'CHANGELOG.md';
const unreleased = /^## Unreleased\n\s*(?=\S)(?!## )/m;

const refuse = (why: string): never => {
  console.error(`${why}\n\n${usage}`);
  process.exit(1);
};

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();

const isAbove = (one: string, other: string): boolean =>
  one.localeCompare(other, 'en', { numeric: true }) > 0;

const checked = (version: string): void => {
  if (!/^\d+\.\d+\.\d+$/.test(version)) refuse(`'${version}' is not a version such as 1.3.0`);
  const text = readFileSync(notes, 'utf8');
  const released = [...text.matchAll(/^## (\d+\.\d+\.\d+) /gm)].map(([, one = '']) => one);
  const notBelow = released.find((one) => !isAbove(version, one));
  if (notBelow) refuse(`${version} is not above ${notBelow}, which ${notes} has`);
  if (!unreleased.test(text)) refuse(`${notes} has nothing under "Unreleased"`);
  if (git('tag', '--list', `v${version}`)) refuse(`The tag v${version} exists`);
  if (git('status', '--porcelain')) refuse('The work tree is not clean: commit first');
};

/** Only here, because a test would fail at every change of the consoles. */
const warnOfOldPictures = (): void => {
  const taken = git('log', '-1', '--format=%H', '--', 'docs/console');
  const changes = git('rev-list', '--count', `${taken}..HEAD`, '--', 'console');
  if (changes !== '0')
    console.warn(
      `Commits to console/ since its pictures: ${changes}. npx node bin/screenshots.ts retakes them`,
    );
};

const setVersions = (version: string): void => {
  const rewrite = (file: string, change: (content: Versioned) => void): void => {
    const content: Versioned = JSON.parse(readFileSync(file, 'utf8'));
    change(content);
    writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
  };
  for (const file of packages) rewrite(file, (content) => (content.version = version));
  rewrite(lock, (content) => {
    content.version = version;
    for (const folder of ['', ...folders]) (content.packages?.[folder] ?? content).version = version;
  });
  writeFileSync(api, readFileSync(api, 'utf8').replace(/(?<=\+service\.)\d+\.\d+\.\d+/, version));
};

interface Versioned {
  version: string;
  readonly packages?: Readonly<Record<string, { version: string }>>;
}

const { values, positionals } = (() => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { 'dry-run': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    return refuse((error as Error).message);
  }
})();
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const [version = refuse('Name the version to release'), ...others] = positionals;
if (others.length > 0) refuse(`npm run release takes one version, not '${others[0]}' as well`);
checked(version);
warnOfOldPictures();
const title = `${version} (${new Date().toISOString().slice(0, 10)}, ${git('rev-parse', '--short=8', 'HEAD')})`;
if (values['dry-run']) {
  console.log(`Would set ${version} in ${[...packages, lock, api].join(', ')};
write "## ${title}" into ${notes};
commit "release: ${version}"; tag it v${version}.`);
} else {
  setVersions(version);
  writeFileSync(notes, readFileSync(notes, 'utf8').replace(/^## Unreleased$/m, `## ${title}`));
  // Slow to load, and needed by nothing else here.
  const { releaseFiles, storeReleaseTemplates } = await import('./release-templates.ts');
  storeReleaseTemplates();
  git('add', '--', ...releaseFiles);
  git('commit', '--quiet', '-m', `release: ${version}`, '--', ...packages, lock, api, notes, ...releaseFiles);
  git('tag', '-a', `v${version}`, '-m', `Release ${version}`);
  console.log(`Tagged v${version}. Push it: git push --follow-tags`);
}
