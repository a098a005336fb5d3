import type { PolicyStatement } from '../assembly/assembly.ts';
import { isRecord } from '../base/json-values.ts';
import { type AccessDecision, policyOf } from '../iam/policy.ts';

/** Compiles an authorizer's policy into decisions by method ARN; undefined if it is no policy document. */
export function compilePolicy(document: unknown): ((methodArn: string) => AccessDecision) | undefined {
  if (!isRecord(document) || document.Statement === undefined) return undefined;
  try {
    // A function may return anything; the evaluator throws for an invalid statement.
    const statements = [document.Statement].flat() as PolicyStatement[];
    const decide = policyOf({ name: 'authorizer', statements });
    return (methodArn) => decide({ action: 'execute-api:Invoke', resource: methodArn });
  } catch {
    return undefined;
  }
}
