import { readFileSync } from 'node:fs';
import path from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { addDeployment } from '../../lib/deployment.ts';
import { settingsOf } from '../../lib/settings.ts';
import { deployments } from '../../ops/deployments.ts';
import { isNightly } from './nightly.ts';

type Context = Readonly<Record<string, string>>;

export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly DependsOn?: string | readonly string[];
  readonly UpdatePolicy?: unknown;
}

/** An app of this repository as `cdk synth` runs it, without its bundles and the tree that the CDK's tools show. */
export const appWith = (context: Context = {}): App => {
  const { context: flags } = JSON.parse(
    readFileSync(path.join(import.meta.dirname, '../../cdk.json'), 'utf8'),
  );
  return new App({
    treeMetadata: false,
    context: { ...flags, 'aws:cdk:bundling-stacks': [], 'aws:cdk:disable-stack-trace': true, ...context },
  });
};

/** The deployments that rules judge each time; they have every kind of resource. The nightly judges all. */
const judgedEachTime = ['dev', 'prod on own domains', 'prod with tenants'];
export const judgedDeployments = Object.entries(deployments).filter(
  ([name]) => isNightly || judgedEachTime.includes(name),
);

const judged = new Set(judgedDeployments.map(([, context]) => JSON.stringify(context)));

/**
 * Throws with the findings of the rule packs and of CloudFormation's own rules, at the first synthesis of one of the
 * judged deployments: rules take most of a synthesis.
 */
export const synthesize = (context: Context): readonly CloudFormationStackArtifact[] => {
  const key = JSON.stringify(context);
  const isJudged = judged.delete(key);
  const traces = withoutTraces();
  try {
    const app = appWith(context);
    process.env.CDK_VALIDATION = String(isJudged);
    if (isJudged) Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
    addDeployment(app, settingsOf(context));
    return app.synth().stacks;
  } finally {
    traces.restore();
  }
};

/** Each construct keeps the stack trace of its making, which jest also maps to the lines of the sources. */
export const withoutTraces = (): { restore(): void } => {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Object.assign(Error, { stackTraceLimit: 0, prepareStackTrace: undefined });
  return { restore: () => Object.assign(Error, { stackTraceLimit, prepareStackTrace }) };
};

const known = new Map<string, Readonly<Record<string, CloudFormationStackArtifact>>>();

/** The stacks of a deployment by name, synthesized once. */
export const stacksOf = (context: Context): Readonly<Record<string, CloudFormationStackArtifact>> => {
  const key = JSON.stringify(context);
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
