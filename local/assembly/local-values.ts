import type { SecretResource } from './assembly.ts';
import { propertiesOf } from './properties.ts';
import { apiId, secretArn } from './references.ts';
import type { Resource } from './resource.ts';
import type { Resources } from './resources.ts';
import { generateSecretString, type Secrets } from './secrets.ts';

/**
 * Replaces values that only AWS could provide: references to secrets become values, and https addresses of local
 * services become http addresses on this machine. An API's stage is removed, as behind a custom domain.
 */
export function localValues(
  resources: Resources,
  authorities: Readonly<Record<string, string>>,
  secrets: Secrets,
): (text: string) => string {
  const addresses = addressRules(resources, authorities);
  const secretText = secretReader(resources, secrets);
  return (text) => {
    const withSecrets = text.replaceAll(
      /\{\{resolve:secretsmanager:(.+?):SecretString(?::([^:}]*))?(?::[^}]*)?\}\}/g,
      (_whole, id: string, key?: string) => secretText(id, key),
    );
    const unknown = withSecrets.match(/\{\{resolve:[^}]*\}\}/);
    if (unknown) throw new Error(`the dynamic reference ${unknown[0]} isn't emulated`);
    return addresses.reduce((value, [pattern, local]) => value.replaceAll(pattern, local), withSecrets);
  };
}

function addressRules(
  resources: Resources,
  authorities: Readonly<Record<string, string>>,
): [RegExp, string][] {
  const apis = resources.ofType('AWS::ApiGateway::RestApi').map((api): [RegExp, string] => {
    const stages = resources
      .ofType('AWS::ApiGateway::Stage')
      .filter(({ properties }) => properties.text('RestApiId') === apiId(api))
      .map(({ properties }) => properties.text('StageName'));
    const stage = stages.length > 0 ? `(?:/(?:${stages.join('|')})(?![\\w-]))?` : '';
    // A stack with its own region names it. Here, all regions are one.
    const host = `${apiId(api)}\\.execute-api\\.[a-z0-9-]+\\.amazonaws\\.com`;
    return [new RegExp(`https://${host}${stage}`, 'g'), `http://${authorities[api.id] ?? ''}`];
  });
  const distributions = resources
    .ofType('AWS::CloudFront::Distribution')
    .filter(({ id }) => authorities[id] !== undefined)
    .map(({ id }): [RegExp, string] => [
      new RegExp(`https://${(authorities[id] ?? '').replaceAll('.', '\\.')}(?!\\d)`, 'g'),
      `http://${authorities[id] ?? ''}`,
    ]);
  return [...apis, ...distributions];
}

function secretReader(resources: Resources, secrets: Secrets): (id: string, key?: string) => string {
  const known = resources.ofType('AWS::SecretsManager::Secret');
  return (reference, key) => {
    const secret = known.find((one) =>
      [secretArn(one), one.properties.text('Name', one.id)].includes(reference),
    );
    const text = secret
      ? secretValue(secret, secrets)
      : secrets(reference, () => generateSecretString(propertiesOf({}, reference)));
    if (!key) return text;
    const member: unknown = JSON.parse(text)[key];
    if (member === undefined) throw new Error(`${secret?.id ?? reference}: the secret has no member ${key}`);
    return String(member);
  };
}

/** The secrets by their ARNs in each region. */
export function readSecrets(resources: Resources, secrets: Secrets): SecretResource[] {
  return resources.ofType('AWS::SecretsManager::Secret').map((secret) => {
    const replicas = secret.properties.each('ReplicaRegions').map((one) => one.text('Region'));
    return {
      arns: [secret.region, ...replicas].map((region) => secretArn({ ...secret, region })),
      value: () => secretValue(secret, secrets),
    };
  });
}

function secretValue({ id, properties }: Resource, secrets: Secrets): string {
  const fixed = properties.text('SecretString', undefined);
  return fixed ?? secrets(id, () => generateSecretString(properties.in('GenerateSecretString')));
}
