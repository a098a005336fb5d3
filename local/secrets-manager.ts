import type { SecretResource } from './assembly/assembly.ts';
import { type JsonService, Refused, serviceResponse, startJsonService } from './base/json-service.ts';
import { isRecord } from './base/json-values.ts';
import { denialsOf } from './iam/denials.ts';
import type { Principal } from './iam/policy.ts';

export interface SecretsManagerOptions {
  readonly secrets: readonly SecretResource[];
  /** Principals by access key id. No other caller is allowed. */
  readonly principals: ReadonlyMap<string, Principal>;
  /** If false, every principal may read every secret. */
  readonly enforce: boolean;
}

/** Emulates GetSecretValue of Secrets Manager, by ARN, in all regions of the stacks. */
export function startSecretsManager(options: SecretsManagerOptions): Promise<JsonService> {
  const { secrets, principals, enforce } = options;
  const denial = enforce ? denialsOf(principals) : () => undefined;
  return startJsonService(async ({ operation, caller, body }) => {
    if (!principals.has(caller))
      throw new Refused('UnrecognizedClientException', 'Only functions of this stack may read secrets here');
    if (operation !== 'GetSecretValue')
      throw new Refused(
        'UnknownOperationException',
        'The local stack knows GetSecretValue of Secrets Manager',
      );
    const input: unknown = JSON.parse(body.toString());
    const arn = isRecord(input) ? String(input.SecretId) : '';
    const denied = denial(caller, { action: 'secretsmanager:GetSecretValue', resource: arn });
    if (denied !== undefined) throw new Refused('AccessDeniedException', denied);
    const secret = secrets.find(({ arns }) => arns.includes(arn));
    if (!secret)
      throw new Refused('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    return serviceResponse({ ARN: arn, SecretString: secret.value() });
  });
}
