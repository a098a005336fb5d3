import { ConfigError } from './config-error.ts';
import type { StageSettings } from './settings.ts';

/** A domain with a certificate, a Route 53 hosted zone in which to validate one, or both. */
export interface Domain {
  readonly name: string;
  readonly certificateArn?: string | undefined;
  /** The zone for the domain's records, and for validation if no certificate is given. */
  readonly hostedZoneId?: string | undefined;
}

/** The only region for CloudFront's certificates and firewalls. */
export const edgeRegion = 'us-east-1';

export const domainOf = (kind: 'short' | 'api', settings: StageSettings): Domain | undefined => {
  const [nameKey, certificateKey, zoneKey] = [
    `${kind}Domain`,
    `${kind}CertificateArn`,
    `${kind}HostedZoneId`,
  ] as const;
  const { [nameKey]: name, [certificateKey]: certificateArn, [zoneKey]: hostedZoneId } = settings;
  const isProven = certificateArn !== undefined || hostedZoneId !== undefined;
  if (name !== undefined && isProven) return { name, certificateArn, hostedZoneId };
  if (name !== undefined)
    throw new ConfigError(
      `${nameKey} needs ${certificateKey}, or ${zoneKey}, with which the deployment makes one`,
    );
  if (isProven) throw new ConfigError(`${certificateKey} and ${zoneKey} mean nothing without ${nameKey}`);
  return undefined;
};

export const checkAliases = (names: readonly string[], short?: Domain): void => {
  if (!short) throw new ConfigError('shortAliases are further hosts beside shortDomain; give that as well');
  for (const [i, name] of names.entries()) {
    if (name === short.name || names.indexOf(name) < i)
      throw new ConfigError(`shortAliases name ${name} twice, or the shortDomain itself`);
    if (!short.certificateArn && !isInZoneOf(short, name))
      throw new ConfigError(
        `shortAliases has ${name} outside of the hosted zone: give shortCertificateArn with a certificate for all names, or use ownHosts=tenants`,
      );
  }
};

/** Whether a host is in a domain's zone, guessed from names: the zone of go.example.com is assumed to be that of example.com. */
export const isInZoneOf = ({ name }: Pick<Domain, 'name'>, other: string): boolean => {
  const parent = name.split('.').slice(1).join('.');
  return (
    other.endsWith(`.${name}`) || (parent.includes('.') && (other === parent || other.endsWith(`.${parent}`)))
  );
};

export const checkCertificates = (short?: Domain, api?: Domain, region?: string): void => {
  if (isElsewhere(short, edgeRegion))
    throw new ConfigError(
      `shortCertificateArn must be a certificate in ${edgeRegion}, where CloudFront looks for it`,
    );
  if (region && isElsewhere(api, region))
    throw new ConfigError(`apiCertificateArn must be a certificate in ${region}, where the API is`);
};

/** Whether a certificate is in another region; false for ARNs that are known only at deployment. */
const isElsewhere = (domain: Domain | undefined, region: string): boolean =>
  (domain?.certificateArn?.split(':')[3] ?? region) !== region;
