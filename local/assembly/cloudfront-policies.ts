import type { CachePolicy, ForwardedParts, ResponseHeader } from './assembly.ts';
import type { Properties } from './properties.ts';
import type { Resources } from './resources.ts';

const nothing: ForwardedParts = { headers: [], queryStrings: [], cookies: [] };

const managedCachePolicies: Readonly<Record<string, CachePolicy>> = {
  // CachingDisabled
  '4135ea2d-6df8-44a3-9df3-4b5a84be39ad': { ...nothing, minTtl: 0, defaultTtl: 0, maxTtl: 0 },
  // CachingOptimized
  '658327ea-f89d-4fab-a63d-7e88639e58f6': { ...nothing, minTtl: 1, defaultTtl: 86_400, maxTtl: 31_536_000 },
};

const managedOriginRequestPolicies: Readonly<Record<string, ForwardedParts>> = {
  // AllViewerExceptHostHeader
  'b689b0a8-53d0-40ab-baf2-68738e2966ac': { headers: 'all', queryStrings: 'all', cookies: 'all' },
};

export function readCachePolicy(id: string, resources: Resources, where: string): CachePolicy {
  const managed = managedCachePolicies[id];
  if (managed) return managed;
  const policy = resources.find(id);
  if (!policy) throw new Error(`${where}: the cache policy ${id} isn't known here`);
  const config = policy.properties.in('CachePolicyConfig');
  return {
    ...readParts(config.in('ParametersInCacheKeyAndForwardedToOrigin')),
    minTtl: config.number('MinTTL', 0),
    defaultTtl: config.number('DefaultTTL', 86_400),
    maxTtl: config.number('MaxTTL', 31_536_000),
  };
}

export function readOriginRequestPolicy(
  id: string | undefined,
  resources: Resources,
  where: string,
): ForwardedParts {
  if (!id) return nothing;
  const managed = managedOriginRequestPolicies[id];
  if (managed) return managed;
  const policy = resources.find(id);
  if (!policy) throw new Error(`${where}: the origin request policy ${id} isn't known here`);
  const parts = readParts(policy.properties.in('OriginRequestPolicyConfig'));
  if (parts.headers !== 'all' && parts.headers.some((name) => name.toLowerCase() === 'host')) {
    throw new Error(`${id}: it passes the viewer's Host on, which a function URL refuses`);
  }
  return parts;
}

function readParts(config: Properties): ForwardedParts {
  return {
    headers: readNames(config.in('HeadersConfig'), 'HeaderBehavior', 'Headers'),
    queryStrings: readNames(config.in('QueryStringsConfig'), 'QueryStringBehavior', 'QueryStrings'),
    cookies: readNames(config.in('CookiesConfig'), 'CookieBehavior', 'Cookies'),
  };
}

function readNames(config: Properties, behavior: string, names: string): 'all' | readonly string[] {
  const kind = config.text(behavior, 'none');
  const listed = config.texts(names);
  if (kind === 'none') return [];
  if (kind === 'whitelist') return listed;
  // In this model, 'all' headers exclude Host: the only form that a function URL accepts.
  if (kind === 'allExcept' && behavior === 'HeaderBehavior' && listed.join().toLowerCase() === 'host') {
    return 'all';
  }
  if (kind === 'all') return 'all';
  throw new Error(`${config.where}: ${behavior} ${kind} isn't emulated`);
}

/** The header of each part of SecurityHeadersConfig. */
const securityHeaders: Readonly<Record<string, (config: Properties) => [string, string]>> = {
  ContentSecurityPolicy: (config) => ['content-security-policy', config.text('ContentSecurityPolicy')],
  ContentTypeOptions: () => ['x-content-type-options', 'nosniff'],
  FrameOptions: (config) => ['x-frame-options', config.text('FrameOption')],
  ReferrerPolicy: (config) => ['referrer-policy', config.text('ReferrerPolicy')],
  StrictTransportSecurity: (config) => [
    'strict-transport-security',
    [
      `max-age=${config.number('AccessControlMaxAgeSec', 0)}`,
      ...(config.flag('IncludeSubdomains') ? ['includeSubDomains'] : []),
      ...(config.flag('Preload') ? ['preload'] : []),
    ].join('; '),
  ],
  XSSProtection: (config) => [
    'x-xss-protection',
    config.flag('Protection') ? `1${config.flag('ModeBlock') ? '; mode=block' : ''}` : '0',
  ],
};

export interface ResponseHeaders {
  readonly added: readonly ResponseHeader[];
  readonly removed: readonly string[];
}

export function readResponseHeaders(
  id: string | undefined,
  resources: Resources,
  where: string,
): ResponseHeaders {
  if (!id) return { added: [], removed: [] };
  const policy = resources.find(id);
  if (!policy) throw new Error(`${where}: the response headers policy ${id} isn't known here`);
  const config = policy.properties.in('ResponseHeadersPolicyConfig');
  const security = config.in('SecurityHeadersConfig');
  const fixed = Object.entries(securityHeaders)
    .filter(([name]) => security.has(name))
    .map(([name, header]) => {
      const [key, value] = header(security.in(name));
      return { name: key, value, override: security.in(name).flag('Override') };
    });
  const custom = config
    .in('CustomHeadersConfig')
    .each('Items')
    .map((item) => ({
      name: item.text('Header').toLowerCase(),
      value: item.text('Value'),
      override: item.flag('Override'),
    }));
  const removed = config.in('RemoveHeadersConfig').each('Items');
  return { added: [...fixed, ...custom], removed: removed.map((item) => item.text('Header').toLowerCase()) };
}
