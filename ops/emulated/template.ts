export interface Template {
  readonly Resources: Readonly<
    Record<string, { readonly Type: string; readonly Properties?: Readonly<Record<string, unknown>> }>
  >;
}

/** What was made of each type of resource, and what the emulator does not know. */
export const report = ({ Resources }: Template, made: ReadonlySet<string>): void => {
  const types = [...new Set(Object.values(Resources).map(({ Type }) => Type))].sort();
  for (const type of types) {
    const ids = Object.keys(Resources).filter((id) => Resources[id]?.Type === type);
    const count = ids.filter((id) => made.has(id)).length;
    console.log(
      `${count === ids.length ? 'made' : count > 0 ? 'part' : 'not known'}  ${type} ${count}/${ids.length}`,
    );
  }
};

/** The template without what is not known there; references to that become plain texts in its stead. */
export const reduce = (template: Template, known: ReadonlySet<string>): Template => {
  const isMissing = (id: unknown) => {
    const type = template.Resources[String(id)]?.Type;
    return type !== undefined && !known.has(type);
  };
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== 'object' || value === null) return value;
    const { Ref, 'Fn::GetAtt': attribute } = value as { Ref?: string; 'Fn::GetAtt'?: [string, string] };
    if (isMissing(Ref)) return `${Ref}`;
    // A function URL's function is the one that it is made for.
    if (isMissing(attribute?.[0]) && attribute?.[1] === 'FunctionArn') {
      return template.Resources[attribute[0]]?.Properties?.TargetFunctionArn;
    }
    if (isMissing(attribute?.[0])) {
      const host = `${attribute?.[0].toLowerCase()}.example.com`;
      return attribute?.[1].endsWith('Url') ? `https://${host}/` : host;
    }
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        name === 'DependsOn' ? [inner].flat().filter((id) => !isMissing(id)) : replace(inner),
      ]),
    );
  };
  const kept = Object.entries(template.Resources).filter(([id]) => !isMissing(id));
  return replace({ ...template, Resources: Object.fromEntries(kept) }) as Template;
};
