import { ConfigError, matching, type Text } from './context-values.ts';

/** Has a certificate, or a Route 53 hosted zone in which to prove one; usually both. */
export interface Domain {
  readonly name: string;
  readonly certificateArn?: string;
  /** Gets the domain's records, and those that prove a certificate if none is given. */
  readonly hostedZoneId?: string;
}

/** The only region of CloudFront's certificates and firewalls. */
export const edgeRegion = 'us-east-1';

const hostName = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
const certificate = /^arn:[^:]+:acm:[a-z0-9-]+:\d{12}:certificate\/.+$/;

export const domain = (kind: 'short' | 'api', text: Text): Domain | undefined => {
  const [nameKey, certificateKey, zoneKey] = [
    `${kind}Domain`,
    `${kind}CertificateArn`,
    `${kind}HostedZoneId`,
  ];
  const name = matching(text, nameKey, hostName, 'a host name in lower case, such as go.example.com');
  const certificateArn = matching(text, certificateKey, certificate, 'the ARN of an ACM certificate');
  const hostedZoneId = matching(text, zoneKey, /^Z[A-Z0-9]{1,31}$/, "a Route 53 hosted zone's id");
  if (name === undefined) {
    if (certificateArn === undefined && hostedZoneId === undefined) return undefined;
    throw new ConfigError(`${certificateKey} and ${zoneKey} say nothing without ${nameKey}`);
  }
  if (certificateArn === undefined && hostedZoneId === undefined) {
    throw new ConfigError(`${nameKey} needs ${certificateKey}, or ${zoneKey} to make a certificate by`);
  }
  return { name, ...(certificateArn && { certificateArn }), ...(hostedZoneId && { hostedZoneId }) };
};

export const aliases = (text: Text, short?: Domain): readonly string[] | undefined => {
  const names =
    text('shortAliases')
      ?.split(',')
      .map((name) => name.trim()) ?? [];
  if (names.length === 0) return undefined;
  const refuse = (message: string) => {
    throw new ConfigError(`shortAliases ${message}`);
  };
  if (!short) return refuse('are further hosts beside shortDomain; give that as well');
  const seen = new Set([short.name]);
  for (const name of names) {
    if (!hostName.test(name)) refuse(`must be host names in lower case with commas between, not '${name}'`);
    if (seen.has(name)) refuse(`name ${name} twice, or the shortDomain itself`);
    seen.add(name);
    if (!short.certificateArn && !isInZoneOf(short, name)) {
      refuse(
        `has ${name} outside of the hosted zone: give shortCertificateArn with a certificate for all names, or use ownHosts=tenants`,
      );
    }
  }
  return names;
};

/** As far as the names say: the zone of go.example.com is taken for that of example.com. */
export const isInZoneOf = ({ name }: Pick<Domain, 'name'>, other: string): boolean => {
  const parent = name.split('.').slice(1).join('.');
  return (
    other.endsWith(`.${name}`) || (parent.includes('.') && (other === parent || other.endsWith(`.${parent}`)))
  );
};

export const checkCertificates = (short?: Domain, api?: Domain, region?: string): void => {
  const regionOf = (arn: string) => arn.split(':')[3];
  if (short?.certificateArn && regionOf(short.certificateArn) !== edgeRegion) {
    throw new ConfigError(
      `shortCertificateArn must be a certificate in ${edgeRegion}, where CloudFront looks for it`,
    );
  }
  if (region && api?.certificateArn && regionOf(api.certificateArn) !== region) {
    throw new ConfigError(`apiCertificateArn must be a certificate in ${region}, where the API is`);
  }
};
