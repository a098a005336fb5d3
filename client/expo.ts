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
  /** Hosts of short URLs, such as `go.example.com`. */
  readonly hosts: readonly string[];
  /** The path that the app opens on Android, such as `/acme/`. */
  readonly pathPrefix?: string | undefined;
}

const hostName = /^[a-z\d-]+(\.[a-z\d-]+)+$/i;

/** A config plugin for Expo: the app opens the https addresses of these hosts. */
const withDynamicLinks = <Config extends ExpoConfig>(config: Config, settings: ExpoSettings): Config => {
  const { hosts, pathPrefix = '/' } = settings ?? {};
  if (!Array.isArray(hosts) || hosts.length === 0) return refuse('needs {"hosts": ["go.example.com"]}');
  for (const host of hosts)
    if (!hostName.test(host))
      refuse(`hosts: ${JSON.stringify(host)} isn't a host name such as go.example.com`);
  if (!/^\//.test(pathPrefix)) refuse(`pathPrefix: ${JSON.stringify(pathPrefix)} doesn't begin with a slash`);

  const domains = config.ios?.associatedDomains ?? [];
  const filters = config.android?.intentFilters ?? [];
  const wanted = [...new Set(hosts.map((host) => host.toLowerCase()))];
  const missing = wanted.filter((host) => !filters.some((filter) => opens(filter, host, pathPrefix)));
  return {
    ...config,
    ios: {
      ...config.ios,
      associatedDomains: [...new Set([...domains, ...wanted.map((host) => `applinks:${host}`)])],
    },
    android: {
      ...config.android,
      intentFilters: [...filters, ...missing.map((host) => verifiedFilter(host, pathPrefix))],
    },
  };
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
  throw new Error(`dynamic-link-client/expo: ${reason}`);
};

export default withDynamicLinks;
