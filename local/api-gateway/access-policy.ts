export type Decision = 'allowed' | 'denied' | 'notAllowed';

interface Statement {
  readonly Effect?: unknown;
  readonly Action?: unknown;
  readonly Resource?: unknown;
}

/** Undefined when it isn't a policy document. */
export function compilePolicy(document: unknown): ((methodArn: string) => Decision) | undefined {
  if (document === null || typeof document !== 'object' || !('Statement' in document)) return undefined;
  const { Statement: stated } = document;
  const statements = (Array.isArray(stated) ? stated : [stated])
    .filter((one): one is Statement => one !== null && typeof one === 'object')
    .filter(({ Action }) => texts(Action).some((action) => wildcard(action.toLowerCase()).test(invoke)))
    .map(({ Effect, Resource }) => ({
      denies: Effect === 'Deny',
      patterns: texts(Resource).map(wildcard),
    }));
  return (methodArn) => {
    const matching = statements.filter(({ patterns }) => patterns.some((pattern) => pattern.test(methodArn)));
    if (matching.some(({ denies }) => denies)) return 'denied';
    return matching.length > 0 ? 'allowed' : 'notAllowed';
  };
}

const invoke = 'execute-api:invoke';

function texts(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
}

function wildcard(pattern: string): RegExp {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's');
}
