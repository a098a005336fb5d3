import { createHmac } from 'node:crypto';
import type { Webhook } from './webhook.ts';

type Signer = Pick<Webhook, 'project' | 'id' | 'generation' | 'replaced'>;

/** The time in which a replaced secret still signs. */
export const replacedSecretMs = 24 * 3_600_000;

/** The secret with which receivers verify signatures. It is derived from the deployment's secret and never stored. */
export const secretOf = (
  deploymentSecret: string,
  { project, id }: Pick<Webhook, 'project' | 'id'>,
  generation: number,
): string =>
  `whsec_${createHmac('sha256', deploymentSecret).update(`${project}\n${id}\n${generation}`).digest('base64')}`;

/** The secrets that sign now, the newest first. */
export const secretsOf = (deploymentSecret: string, webhook: Signer, now: Date): string[] => {
  const valid = (webhook.replaced ?? []).filter(({ until }) => Date.parse(until) > now.getTime());
  const generations = [webhook.generation, ...valid.map(({ generation }) => generation)];
  return generations.map((generation) => secretOf(deploymentSecret, webhook, generation));
};

/** The value of `webhook-signature` by Standard Webhooks 1.0.0; the timestamp is in whole seconds. */
export const signatureOf = (
  { id, timestamp, body }: { readonly id: string; readonly timestamp: number; readonly body: string },
  secrets: readonly string[],
): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    })
    .join(' ');
