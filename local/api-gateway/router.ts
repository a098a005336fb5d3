import type { ApiMethod } from '../assembly/assembly.ts';

export interface GatewayRoute {
  readonly method: ApiMethod;
  /** Values of the path variables, still percent-encoded; null when the resource has none. */
  readonly pathParameters: Readonly<Record<string, string>> | null;
}

export type Router = (httpMethod: string, path: string) => GatewayRoute | undefined;

interface Node {
  readonly fixed: Map<string, Node>;
  variable?: { readonly name: string; readonly node: Node };
  greedy?: { readonly name: string; readonly node: Node };
  readonly methods: Map<string, ApiMethod>;
}

interface Candidate {
  readonly node: Node;
  readonly parameters: readonly (readonly [string, string])[];
  readonly isGreedy: boolean;
}

/**
 * Chooses the resource as API Gateway does: a fixed part beats a variable, a variable beats a greedy one. A resource
 * that lacks the method gives way only to a greedy one.
 */
export function createRouter(methods: readonly ApiMethod[]): Router {
  const root = newNode();
  for (const method of methods) insert(root, method);
  return (httpMethod, path) => {
    // A trailing slash doesn't name another resource, and is not part of a greedy value.
    const parts = path.split('/').slice(1, path.length > 1 && path.endsWith('/') ? -1 : undefined);
    let isFirst = true;
    for (const { node, parameters, isGreedy } of candidates(root, parts[0] === '' ? [] : parts)) {
      if (isFirst || isGreedy) {
        const method = node.methods.get(httpMethod) ?? node.methods.get('ANY');
        if (method) {
          return {
            method,
            pathParameters: parameters.length > 0 ? Object.fromEntries(parameters) : null,
          };
        }
      }
      isFirst = false;
    }
    return undefined;
  };
}

function newNode(): Node {
  return { fixed: new Map(), methods: new Map() };
}

function insert(root: Node, method: ApiMethod): void {
  let node = root;
  for (const part of method.path.split('/').filter(Boolean)) node = child(node, part);
  node.methods.set(method.httpMethod, method);
}

function child(node: Node, part: string): Node {
  const [, name, plus] = part.match(/^\{(.+?)(\+?)\}$/) ?? [];
  if (name && plus) {
    node.greedy ??= { name, node: newNode() };
    return node.greedy.node;
  }
  if (name) {
    node.variable ??= { name, node: newNode() };
    return node.variable.node;
  }
  const known = node.fixed.get(part) ?? newNode();
  node.fixed.set(part, known);
  return known;
}

/** Every resource with methods that matches the path, best first. */
function* candidates(node: Node, parts: readonly string[]): Generator<Candidate> {
  const [part, ...rest] = parts;
  if (part === undefined) {
    if (node.methods.size > 0) yield { node, parameters: [], isGreedy: false };
    return;
  }
  const fixed = node.fixed.get(part);
  if (fixed) yield* candidates(fixed, rest);
  if (node.variable && part !== '') {
    const { name, node: next } = node.variable;
    for (const found of candidates(next, rest)) {
      yield { ...found, parameters: [[name, part], ...found.parameters] };
    }
  }
  if (node.greedy && node.greedy.node.methods.size > 0) {
    const { name, node: next } = node.greedy;
    yield { node: next, parameters: [[name, parts.join('/')]], isGreedy: true };
  }
}
