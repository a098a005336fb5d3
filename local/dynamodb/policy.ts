import { runSimulation } from '@cloud-copilot/iam-simulate';
import type { PolicyStatement } from '../assembly.ts';
import type { Access } from './access.ts';

export interface Principal {
  readonly name: string;
  readonly statements: readonly PolicyStatement[];
}

export type Decision = 'allowed' | 'denied by no statement' | 'denied by a statement';

/** Decides what a principal may do, as IAM would. */
export type Policy = (access: Access) => Decision | Promise<Decision>;

/**
 * Without conditions a decision depends on action and resource alone and is taken once: the evaluation
 * takes about a millisecond, which is what a DynamoDB call takes.
 */
export function policyOf(principal: Principal): Policy {
  const isConditional = principal.statements.some(({ Condition }) => Condition !== undefined);
  if (isConditional) return (access) => evaluate(principal, access);
  const decisions = new Map<string, Decision>();
  return (access) => {
    const key = `${access.action} ${access.resource}`;
    const known = decisions.get(key);
    if (known) return known;
    return evaluate(principal, access).then((decision) => {
      decisions.set(key, decision);
      return decision;
    });
  };
}

async function evaluate(principal: Principal, access: Access): Promise<Decision> {
  const accountId = access.resource.split(':')[4] || '000000000000';
  const answer = await runSimulation(
    {
      request: {
        principal: `arn:aws:iam::${accountId}:role/${principal.name}`,
        action: access.action,
        resource: { resource: access.resource, accountId },
        contextVariables: contextOf(access),
      },
      identityPolicies: [
        { name: 'role', policy: { Version: '2012-10-17', Statement: principal.statements } },
      ],
      serviceControlPolicies: [],
      resourceControlPolicies: [],
    },
    {},
  );
  if (answer.resultType === 'error') {
    throw new Error(`${principal.name}: ${JSON.stringify(answer.errors)}`);
  }
  if (answer.overallResult === 'Allowed') return 'allowed';
  return answer.overallResult === 'ExplicitlyDenied' ? 'denied by a statement' : 'denied by no statement';
}

function contextOf({ leadingKeys, attributes }: Access): Record<string, string[]> {
  return {
    ...(leadingKeys.length > 0 && { 'dynamodb:LeadingKeys': [...leadingKeys] }),
    ...(attributes.length > 0 && { 'dynamodb:Attributes': [...attributes] }),
  };
}
