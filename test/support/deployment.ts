import { readFileSync } from 'node:fs';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import { settingsOf } from '../../lib/settings.ts';
import { addService } from '../../lib/stack.ts';

type Context = Readonly<Record<string, string>>;

export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly DependsOn?: string | readonly string[];
  readonly UpdatePolicy?: unknown;
}

/** An app of this repository as `cdk synth` runs it, without bundles and the construct tree. */
export const appWith = (context: Context = {}): App => {
  const { context: flags } = JSON.parse(
    readFileSync(path.join(import.meta.dirname, '../../cdk.json'), 'utf8'),
  );
  return new App({
    treeMetadata: false,
    context: { ...flags, 'aws:cdk:bundling-stacks': [], 'aws:cdk:disable-stack-trace': true, ...context },
  });
};

/** Synthesizes an app. Throws the findings of its added rules, with those of CloudFormation's rules. */
export const synthesize = (
  context: Context,
  addRules?: (app: App) => void,
): readonly CloudFormationStackArtifact[] => {
  const traces = withoutTraces();
  try {
    const app = appWith(context);
    process.env.CDK_VALIDATION = String(addRules !== undefined);
    addRules?.(app);
    addService(app, settingsOf(context));
    return app.synth().stacks;
  } finally {
    traces.restore();
  }
};

/** Turns off the stack traces of constructs, which jest would also map to source lines. */
export const withoutTraces = (): { restore(): void } => {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Object.assign(Error, { stackTraceLimit: 0, prepareStackTrace: undefined });
  return { restore: () => Object.assign(Error, { stackTraceLimit, prepareStackTrace }) };
};

const known = new Map<string, Readonly<Record<string, CloudFormationStackArtifact>>>();

/** One key for equal contexts. */
export const keyOf = (context: Context): string => JSON.stringify(Object.entries(context).sort());

/** The stacks of a deployment by name, synthesized once: a synthesis takes half a second. */
export const stacksOf = (context: Context): Readonly<Record<string, CloudFormationStackArtifact>> => {
  const key = keyOf(context);
  const stacks =
    known.get(key) ?? Object.fromEntries(synthesize(context).map((stack) => [stack.stackName, stack]));
  known.set(key, stacks);
  return stacks;
};

/** The resources of a stack with their logical ids. */
export const resources = (context: Context, stackName: string): [string, TemplateResource][] => {
  const stack = stacksOf(context)[stackName];
  if (!stack) throw new Error(`There is no stack ${stackName}`);
  return Object.entries(stack.template.Resources);
};

export const resourcesOf = (context: Context, stackName: string, type: string): TemplateResource[] =>
  resources(context, stackName)
    .map(([, resource]) => resource)
    .filter(({ Type }) => Type === type);
