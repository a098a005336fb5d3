import { parseArgs } from 'node:util';
import { awsRegion } from '../ops/aws-region.ts';
import { inColumns } from '../ops/columns.ts';
import type { Finding } from '../ops/preflight/finding.ts';
import { refuseKeptFlags, withFlagsAdvice } from '../ops/stray-argument.ts';

const help = `Usage: npm run preflight -- [-c KEY=VALUE …] [--region NAME]
                            [--visits N] [--json]

Checks with AWS what would stop a first deployment with these choices, and
changes nothing. Each line says 'ok', 'do' with what to do, or 'look' where only
you can check. The exit code is 1 if there is something to do.

  -c KEY=VALUE   a CDK context value, as you will give it to npm run deploy; may
                 be repeated
  --region NAME  where to deploy (default: -c region, cdk.json's,
                 deployments/STAGE.json's, AWS_REGION, AWS_DEFAULT_REGION, your
                 profile's)
  --visits N     visits a second that are expected at most, for a launch: also
                 checks what they need, once the stack is deployed
  --json         print the findings as one JSON value
  --help         print this and do nothing else`;

const main = async (): Promise<boolean> => {
  const { values } = withFlagsAdvice(parse, 'npm run preflight -- --region NAME');
  refuseKeptFlags({ name: 'preflight', flags: ['context', 'region'], contextKeys: ['stage'] }, process.env);
  if (values.help) {
    console.log(help);
    return true;
  }
  const context = Object.fromEntries(values.context.map(pair));
  // Help needn't wait until the CDK is loaded.
  const { preflight } = await import('../ops/preflight/checks.ts');
  const findings = await preflight({
    context,
    visits: visitsOf(values.visits),
    region: context.region ?? awsRegion({ given: values.region, stage: context.stage ?? 'dev' }),
  });
  console.log(values.json ? JSON.stringify(findings) : table(findings));
  return findings.every(({ result }) => result !== 'do');
};

const parse = () =>
  parseArgs({
    options: {
      context: { type: 'string', short: 'c', multiple: true, default: [] },
      region: { type: 'string' },
      visits: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });

const visitsOf = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,5}$/.test(text) && Number(text) <= 100_000) return Number(text);
  throw new Error(`--visits takes a whole number from 1 to 100000, not '${text}'`);
};

const pair = (text: string): [string, string] => {
  const [key = '', ...value] = text.split('=');
  if (key === '' || value.length === 0) throw new Error(`-c takes KEY=VALUE, not '${text}'`);
  return [key, value.join('=')];
};

const table = (findings: readonly Finding[]): string =>
  inColumns(findings.map(({ name, result, says }) => [result.padEnd(4), name, says]));

main().then(
  (isReady) => process.exit(isReady ? 0 : 1),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(1);
  },
);
