import { placesOf } from './addresses.ts';

/* The link settings of Expo's configuration, in its own shape; Expo writes them into the native projects. */

interface FilterData {
  readonly scheme?: string | undefined;
  readonly host?: string | undefined;
  readonly pathPrefix?: string | undefined;
}

interface Filter {
  action: string;
  autoVerify?: boolean;
  data?: FilterData | FilterData[];
  category?: string | string[];
}

interface ExpoConfig {
  ios?: { associatedDomains?: string[] };
  android?: { intentFilters?: Filter[] };
}

export interface ExpoSettings {
  /** Hosts of short URLs, such as `go.example.com`; the shared host with your folder: `short.example/acme`. */
  readonly hosts: readonly string[];
  /** The path that the app opens on Android on hosts without a folder, such as `/acme/`. */
  readonly pathPrefix?: string | undefined;
}

const hostName = /^[a-z\d-]+(\.[a-z\d-]+)+$/;

/** A config plugin for Expo: the app opens the https addresses of these hosts. Throws a TypeError for malformed ones. */
const withDynamicLinks = <Config extends ExpoConfig>(config: Config, settings: ExpoSettings): Config => {
  const { hosts, pathPrefix = '/' } = settings ?? {};
  if (!Array.isArray(hosts) || hosts.length === 0) return refuse('needs {"hosts": ["go.example.com"]}');
  const places = placesIn(hosts).map((place) => place.split('/') as [host: string, folder?: string]);
  const [other] = places.find(([host]) => !hostName.test(host)) ?? [];
  if (other) refuse(`hosts: ${JSON.stringify(other)} isn't a host name such as go.example.com`);
  if (!/^\//.test(pathPrefix)) refuse(`pathPrefix: ${JSON.stringify(pathPrefix)} doesn't begin with a slash`);

  const domains = config.ios?.associatedDomains ?? [];
  const filters = [...(config.android?.intentFilters ?? [])];
  for (const [host, folder] of places) {
    const prefix = folder === undefined ? pathPrefix : `/${folder}/`;
    if (!filters.some((filter) => opens(filter, host, prefix))) filters.push(verifiedFilter(host, prefix));
  }
  return {
    ...config,
    ios: {
      ...config.ios,
      associatedDomains: [...new Set([...domains, ...places.map(([host]) => `applinks:${host}`)])],
    },
    android: { ...config.android, intentFilters: filters },
  };
};

const placesIn = (hosts: readonly string[]) => {
  try {
    return placesOf('hosts', hosts);
  } catch (error) {
    return refuse((error as Error).message);
  }
};

const verifiedFilter = (host: string, pathPrefix: string): Filter => ({
  action: 'VIEW',
  autoVerify: true,
  data: [{ scheme: 'https', host, pathPrefix }],
  category: ['BROWSABLE', 'DEFAULT'],
});

const opens = ({ action, autoVerify, data = [] }: Filter, host: string, pathPrefix: string): boolean =>
  action === 'VIEW' &&
  autoVerify === true &&
  [data].flat().some((one) => one.scheme === 'https' && one.host === host && one.pathPrefix === pathPrefix);

const refuse = (reason: string): never => {
  throw new TypeError(`dynamic-link-client/expo: ${reason}`);
};

export default withDynamicLinks;
