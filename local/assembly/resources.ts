import { Intrinsics } from './intrinsics.ts';
import { type Properties, propertiesOf } from './properties.ts';
import { resourceReferences } from './references.ts';
import type { Resource } from './resource.ts';
import type { Template, TemplateResource } from './template.ts';

/** The resources of a template. Each is resolved on demand, so that unused ones can't fail. */
export interface Resources {
  ofType(...types: readonly string[]): readonly Resource[];
  find(id: string): Resource | undefined;
  /** The outputs whose condition is true. */
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** `authorities`: `host:port`, by logical id, of resources with their own address. */
export function resolveResources(
  template: Template,
  authorities: Readonly<Record<string, string>>,
): Resources {
  const resolved = new Map<string, Resource>();
  const resolving = new Set<string>();
  const intrinsics = new Intrinsics(template, resourceReferences(find, authorities));

  function exists(resource: TemplateResource | undefined): resource is TemplateResource {
    return resource !== undefined && (!resource.Condition || intrinsics.holds(resource.Condition));
  }

  function find(id: string): Resource | undefined {
    const known = resolved.get(id);
    if (known) return known;
    const resource = template.resources[id];
    if (!exists(resource)) return undefined;
    // Resolved on first use of a property: two resources may refer to each other's names.
    let properties: Properties | undefined;
    const made: Resource = {
      id,
      type: resource.Type,
      region: resource.region,
      get properties() {
        properties ??= propertiesOf(resolveNamed(id, resource.Properties ?? {}, resource.region), id);
        return properties;
      },
    };
    resolved.set(id, made);
    return made;
  }

  function resolveNamed(id: string, value: unknown, region: string): unknown {
    if (resolving.has(id)) throw new UnresolvedError(id, 'it refers to itself');
    resolving.add(id);
    try {
      return intrinsics.in(region).resolve(value);
    } catch (error) {
      throw error instanceof UnresolvedError ? error : new UnresolvedError(id, String(error));
    } finally {
      resolving.delete(id);
    }
  }

  const ids = Object.keys(template.resources);
  return {
    find,
    ofType: (...types) =>
      ids
        .filter((id) => types.includes(template.resources[id]?.Type ?? ''))
        .map(find)
        .filter((resource) => resource !== undefined),
    get outputs() {
      const values = Object.entries(template.outputs)
        .filter(([, output]) => !output.Condition || intrinsics.holds(output.Condition))
        .map(([id, output]): [string, unknown] => [
          id,
          resolveNamed(`output ${id}`, output.Value, output.region),
        ]);
      return Object.fromEntries(values);
    },
  };
}

class UnresolvedError extends Error {
  constructor(id: string, reason: string) {
    super(`can't resolve ${id}: ${reason.replace(/^Error: /, '')}`);
  }
}
