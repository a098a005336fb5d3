import { parseArgs } from 'node:util';
import { awsRegion, stageOf } from '../ops/aws-region.ts';
import { inColumns } from '../ops/columns.ts';
import { OperatorError } from '../ops/operator-error.ts';
import { checks } from '../ops/smoke/checks.ts';
import { openDeployedStack } from '../ops/smoke/deployed-stack.ts';
import { type Outcome, runChecks } from '../ops/smoke/run.ts';
import { openSession } from '../ops/smoke/session.ts';
import { refuseKeptFlags, withFlagsAdvice } from '../ops/stray-argument.ts';
import { deployedTarget, localTarget } from '../ops/target.ts';

const help = `Usage: npm run smoke -- [--stack NAME | --data DIR] [flags]

Checks a deployment at its public addresses, with a project that it creates and
removes again. With --stack it also sets off two alarms and resets them, so the
alarms' subscribers get mails.

  --stack NAME        a deployed CloudFormation stack, with the AWS credentials
                      of your environment
  --region NAME       the stack's region (default: the deployment's, AWS_REGION,
                      AWS_DEFAULT_REGION, your profile's)
  --data DIR          the data folder of a running local stack (default: .local)
  --pause SECONDS     how long to pause before short URLs are visited again
                      (default: 60 with --stack)
  --patience SECONDS  how long to wait for a fresh plan key, figures, alarms and
                      metrics (default: 180 each)
  --json              print the outcomes as one JSON value
  --help              print this and do nothing else`;

const main = async (): Promise<boolean> => {
  const { values } = withFlagsAdvice(parse, 'npm run smoke -- --stack NAME');
  refuseKeptFlags({ name: 'smoke', flags: ['stack', 'region', 'data', 'pause', 'patience'] }, process.env);
  if (values.help) {
    console.log(help);
    return true;
  }
  if (values.stack !== undefined && values.data !== undefined) {
    throw new OperatorError('--data and --stack name two different targets: give one');
  }
  const deployment = values.stack
    ? await deployedTarget(values.stack, values.region)
    : await localTarget(values.data ?? '.local');
  const deployed = values.stack
    ? openDeployedStack(values.stack, awsRegion({ given: values.region, stage: stageOf(values.stack) }))
    : undefined;
  const session = await openSession(deployment, {
    deployed,
    pauseSeconds: seconds('--pause', values.pause) ?? (deployed ? 60 : 0),
    patienceSeconds: seconds('--patience', values.patience),
  });
  const outcomes = await runChecks(checks, session);
  console.log(values.json ? JSON.stringify(outcomes) : table(outcomes));
  return outcomes.every(({ result }) => result !== 'failed');
};

const parse = () =>
  parseArgs({
    options: {
      stack: { type: 'string' },
      region: { type: 'string' },
      data: { type: 'string' },
      pause: { type: 'string' },
      patience: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });

const seconds = (flag: string, text: string | undefined): number | undefined => {
  if (text === undefined || /^\d{1,5}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new OperatorError(`${flag} takes whole seconds, not '${text}'`);
};

const table = (outcomes: readonly Outcome[]): string => {
  const lines = outcomes.map(({ name, result, milliseconds, detail }) => [
    result.padEnd(7),
    name,
    `${milliseconds} ms`.padStart(9),
    detail,
  ]);
  const count = (wanted: Outcome['result']) => outcomes.filter(({ result }) => result === wanted).length;
  return [
    inColumns(lines),
    '',
    `${count('ok')} ok, ${count('failed')} failed, ${count('skipped')} skipped`,
  ].join('\n');
};

main().then(
  (passed) => process.exit(passed ? 0 : 1),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(1);
  },
);
