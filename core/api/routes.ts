import type { Contract } from './endpoint.ts';

export interface ApiRoute {
  readonly method: Contract['method'];
  /** The contract's path, or a copy of it with a literal in a parameter's place. */
  readonly path: string;
  readonly operation: string;
}

const isParameter = (segment: string | undefined) => segment?.startsWith('{') ?? false;

/** `path` with its first parameter replaced by the literal of `other`, if they agree up to there. */
const shadowed = (path: string, other: string): string | undefined => {
  const [own, theirs] = [path.split('/'), other.split('/')];
  const place = own.findIndex((segment, i) => segment !== theirs[i]);
  const literal = theirs[place];
  if (!isParameter(own[place]) || literal === undefined || isParameter(literal)) return undefined;
  return own.with(place, literal).join('/');
};

/**
 * The routes of an API. If a literal of one path hides the parameter of another (`/links/check/{code}` adds a static
 * `check` next to `/links/{code}`), hidden operations are also routed under the literal, because API Gateway prefers
 * the static resource and wouldn't find their methods. So `check` is a code like any other.
 */
export const apiRoutesOf = (contracts: Readonly<Record<string, Contract>>): readonly ApiRoute[] => {
  // Contracts come first: their paths override derived ones, which may hide further ones.
  const routes = Object.entries(contracts).map(
    ([operation, { method, path }]): ApiRoute => ({ method, path, operation }),
  );
  const addShadow = (hidden: ApiRoute, by: ApiRoute) => {
    const path = shadowed(hidden.path, by.path);
    const isKnown = routes.some((known) => known.method === hidden.method && known.path === path);
    if (path !== undefined && !isKnown) routes.push({ ...hidden, path });
  };
  for (const [count, one] of routes.entries())
    for (const other of routes.slice(0, count)) {
      addShadow(one, other);
      addShadow(other, one);
    }
  return routes;
};

/** Paths of the API's description, which need no key. */
export const referencePaths = ['/openapi.json', '/docs'] as const;

const methodOrder: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export const methodsByPath = (
  contracts: Readonly<Record<string, Contract>>,
): ReadonlyMap<string, readonly string[]> => {
  const reference = referencePaths.map((path) => ({ path, method: 'GET' }));
  const preflights = Object.values(contracts)
    .filter(({ publishable }) => publishable)
    .map(({ path }) => ({ path, method: 'OPTIONS' }));
  const routes = Map.groupBy([...apiRoutesOf(contracts), ...reference, ...preflights], ({ path }) => path);
  const sorted = (methods: readonly string[]) =>
    methods.toSorted((one, other) => methodOrder.indexOf(one) - methodOrder.indexOf(other));
  return new Map([...routes].map(([path, of]) => [path, sorted(of.map(({ method }) => method))]));
};

/** A request's parameters, still percent-encoded, by the contract's path and the matched resource. */
export const pathParameters = (
  path: string,
  resource: string,
  matched: Readonly<Record<string, string | undefined>> | null,
): Record<string, string | undefined> => {
  const literals = resource.split('/').slice(-path.split('/').length + 1);
  const names = path.split('/').slice(1);
  const parameters: Record<string, string | undefined> = {};
  for (const [position, segment] of names.entries()) {
    if (!isParameter(segment)) continue;
    const name = segment.slice(1, -1);
    parameters[name] = matched?.[name] ?? literals[position];
  }
  return parameters;
};
