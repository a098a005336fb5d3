import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import { bundling } from '../lib/bundles.ts';
import { app } from '../ops/start/app.ts';
import { createLinks } from './links.ts';
import type { Profiled } from './profiled.ts';
import type { Figure, Section } from './report.ts';
import { type Serving, serve } from './serving.ts';

const seconds = 5;
/** Smaller shares are listed together. */
const smallest = 0.02;

/**
 * Where the processor time of a redirect and of a creation goes, by `node --cpu-prof` on the function alone.
 */
export const profiles = async (assembly: string): Promise<Section> => {
  const serving = await serve(assembly);
  try {
    const codes = await createLinks(serving, 100);
    const [redirect, create] = [
      await profile(serving, { entry: 'redirect', kind: 'redirect', codes }),
      await profile(serving, { entry: 'api/create-link', kind: 'create', codes }),
    ];
    return { title: 'Where processor time goes', figures: [...redirect, ...create] };
  } finally {
    await serving.stop();
  }
};

const profile = async (
  { endpoint, tableName, short }: Serving,
  { entry, kind, codes }: { entry: string; kind: Profiled['kind']; codes: readonly string[] },
): Promise<Figure[]> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'profile-'));
  try {
    const bundle = path.join(folder, 'bundle.mjs');
    build(entry, bundle);
    const job: Profiled = { kind, bundle, codes, host: new URL(short).host, seconds };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        '--cpu-prof',
        `--cpu-prof-dir=${folder}`,
        path.join(import.meta.dirname, 'profiled.ts'),
        JSON.stringify(job),
      ],
      {
        env: {
          ...process.env,
          AWS_REGION: 'us-east-1',
          AWS_ACCESS_KEY_ID: 'bench',
          AWS_SECRET_ACCESS_KEY: 'local',
          AWS_ENDPOINT_URL_DYNAMODB: endpoint,
          TABLE_NAME: tableName,
          SHORT_BASE: short,
          VISITOR_SECRET: 'bench',
          UNIQUE_WINDOW_DAYS: '30',
          RATE_LIMIT_PER_HOUR: String(1e9),
        },
      },
    );
    const { calls } = JSON.parse(stdout) as { calls: number };
    const file = readdirSync(folder).find((name) => name.endsWith('.cpuprofile')) ?? '';
    const read = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as CpuProfile;
    keep(path.join(folder, file), kind);
    return shares(kind, calls, read, modulesOf(bundle));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** The stack's bundle, but readable and with all packages; comments name the module of each part. */
const build = (entry: string, outfile: string) =>
  buildSync({ ...bundling, entryPoints: [`lambdas/${entry}.ts`], outfile, minify: false, external: [] });

/** For DevTools, which draws it as a flame graph. */
const keep = (file: string, kind: string): void => {
  const folder = path.join(app, 'cdk.out', 'profiles');
  mkdirSync(folder, { recursive: true });
  renameSync(file, path.join(folder, `${kind}.cpuprofile`));
};

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** The module of each line of a bundle. */
const modulesOf = (bundle: string): string[] => {
  let current = '';
  return readFileSync(bundle, 'utf8')
    .split('\n')
    .map((line) => {
      current = /^(?:\/\/ |\s+")((?:node_modules|core|lambdas)\/[^"\s]+)/.exec(line)?.[1] ?? current;
      return current;
    });
};

const shares = (
  kind: string,
  calls: number,
  { nodes, samples, timeDeltas }: CpuProfile,
  modules: readonly string[],
): Figure[] => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const partOf = (id: number | undefined): string => {
    const node = id === undefined ? undefined : byId.get(id);
    if (!node) return 'Node itself';
    return ownPart(node.callFrame, modules) ?? partOf(parents.get(node.id));
  };
  const times = new Map<string, number>();
  for (const [i, id] of samples.entries()) {
    if (byId.get(id)?.callFrame.functionName === '(idle)') continue;
    const part = partOf(id);
    times.set(part, (times.get(part) ?? 0) + (timeDeltas[i + 1] ?? 0));
  }
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  const large = [...times].filter(([, time]) => time / total >= smallest).sort((a, b) => b[1] - a[1]);
  const rest = total - large.reduce((sum, [, time]) => sum + time, 0);
  return [
    { name: `${kind}: CPU of a call, with its driver`, value: total / 1000 / calls, unit: 'ms' },
    ...[...large, ['everything else', rest] as const].map(([part, time]) => ({
      name: `${kind}: ${part}`,
      value: (time / total) * 100,
      unit: '%',
    })),
  ];
};

const builtIns: readonly (readonly [RegExp, string])[] = [
  [/crypto/, 'node: hashes and signatures'],
  [/_http|http|net|stream|_tls/, 'node: HTTP client'],
  [/modules|loader|bootstrap/, 'loading'],
];

/** Undefined for frames whose time belongs to their caller. */
const ownPart = (
  { functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame'],
  modules: readonly string[],
): string | undefined => {
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (functionName === '(program)' || functionName === '(root)') return 'Node itself';
  if (/^write(v|Utf8String|Latin1String|Buffer)$/.test(functionName) && url === '')
    return 'node: writing to sockets';
  if ((functionName === 'parse' || functionName === 'stringify') && url === '') return 'JSON';
  if (url.startsWith('node:')) {
    return builtIns.find(([pattern]) => pattern.test(url))?.[1] ?? 'node: events, timers and the rest';
  }
  if (!url.endsWith('bundle.mjs')) return undefined;
  const module = modules[lineNumber] ?? '';
  return (
    /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module)?.[1]?.replace(/^@(aws-sdk|smithy)\/.*/, 'AWS SDK') ??
    'the service'
  );
};
