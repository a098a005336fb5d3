import { type DescribedOperation, mapSchema, operation, type Schema, withoutNull } from './description.ts';

/** A tool: one operation of the API under a name for assistants. */
export type Tool = ReturnType<typeof toolOf>;

interface Statement {
  readonly operationId: string;
  readonly title: string;
  /** Description of the tool. @default the API's */
  readonly says?: string;
  /** Further advice for assistants. */
  readonly hint?: string;
  readonly annotations: Readonly<Record<string, boolean>>;
  /** Parameters that would only confuse. */
  readonly hidden?: readonly string[];
  /** Parameters that are sent unless the assistant gives its own. */
  readonly query?: Readonly<Record<string, string>>;
}

const reads = { readOnlyHint: true };
const adds = { readOnlyHint: false, destructiveHint: false };
const overwrites = { readOnlyHint: false, destructiveHint: true, idempotentHint: true };

const statements: Readonly<Record<string, Statement>> = {
  create_link: {
    operationId: 'createLink',
    title: 'Create a link',
    hint: 'Only `payload.link`, the destination, must be given. check_code tells whether a wished code is free. The short URL to share is `shortUrl` of the result.',
    annotations: adds,
  },
  list_links: {
    operationId: 'listLinks',
    title: 'List or find links',
    says: 'Lists the links, newest first. Begin without `cursor`; go on with `pagination.nextCursor` of the result and the same filters until it is null. A page may be short or empty before that.',
    annotations: reads,
    hidden: ['page'],
    query: { cursor: '' },
  },
  get_link: { operationId: 'getLink', title: 'Get a link', annotations: reads },
  get_analytics: {
    operationId: 'getAnalytics',
    title: 'Get analytics',
    says: 'Returns the clicks or app opens of a link or of the whole project, over time or grouped, two seconds after a visit. A visitor counts as unique on each link at the first click, and again only after 90 days without a click. `links` lists the busiest links. Rare values of a grouping count as `other`, and rare tags not at all.',
    annotations: reads,
  },
  update_link: {
    operationId: 'patchLink',
    title: 'Update a link',
    says: 'Send only what changes. What you omit stays, also inside a section of the payload; null clears a field or a section; lists (`tags`, `rules`) are replaced. Fields mean what they mean in create_link. The code never changes; set_link_status changes the status.',
    annotations: overwrites,
  },
  set_link_status: {
    operationId: 'updateLinkStatus',
    title: 'Pause or activate a link',
    annotations: overwrites,
  },
  check_code: { operationId: 'checkCode', title: 'Check whether a code is free', annotations: reads },
  list_apps: { operationId: 'listMobileApps', title: 'List saved apps', annotations: reads },
  delete_link: {
    operationId: 'deleteLink',
    title: 'Delete a link permanently',
    hint: 'This can not be undone; set_link_status stops a link for a time.',
    annotations: overwrites,
  },
};

/** The tools, without repeated texts: an assistant reads all of them in each conversation. */
export const toolsOf = ({ allowDelete }: { readonly allowDelete: boolean }): Tool[] => {
  const seen = new Set<string>();
  return Object.entries(statements)
    .filter(([name]) => allowDelete || name !== 'delete_link')
    .map(([name, statement]) => toolOf(name, statement, seen));
};

const toolOf = (
  name: string,
  { operationId, title, says, hint, annotations, hidden = [], query }: Statement,
  seen: Set<string>,
) => {
  const described = operation(operationId);
  const parameters = described.parameters.filter((one) => one.in !== 'header' && !hidden.includes(one.name));
  const body = shownBody(described);
  // The purpose of the operation, and its scope.
  const [does = '', needs = ''] = described.description.split('\n\n');
  const description = [inTools(says ?? does), hint, needs].filter(Boolean).join(' ');
  const shown = plain({
    properties: {
      ...Object.fromEntries(
        parameters.map(({ name, description, schema }) => [
          name,
          { ...schema, ...(description && { description }) },
        ]),
      ),
      ...body.properties,
    },
    required: [
      ...parameters.filter(({ required }) => required).map(({ name }) => name),
      ...(body.required ?? []),
    ],
  });
  return {
    name,
    description,
    operation: described,
    inputSchema: { ...withoutRepeats(shown, seen), type: 'object' as const },
    annotations: { title, ...annotations },
    query,
  };
};

/** Replaces the names of API calls with those of tools. */
const inTools = (text: string): string =>
  text.replaceAll(/`(\w+) (\/\S+)`/g, (call, method, path) => {
    const named = Object.entries(statements).find(([, { operationId }]) => {
      const one = operation(operationId);
      return one.method === method && one.path === path;
    });
    return named ? named[0] : call;
  });

/** A schema without sentences of earlier schemas. */
const withoutRepeats = ({ description = '', ...schema }: Schema, seen: Set<string>): Schema => {
  const news = description.split(/(?<=\.) /).filter((sentence) => !seen.has(sentence));
  for (const sentence of news) seen.add(sentence);
  const text = news.join(' ');
  return mapSchema({ ...schema, ...(text && { description: text }) }, (inner) => withoutRepeats(inner, seen));
};

/** The body's schema. Only in updates, null clears a field. */
const shownBody = ({ method, body = {} }: DescribedOperation): Schema =>
  method === 'PATCH' ? body : withoutNull(body);

/** A schema without keywords that some clients refuse, and without patterns that only exclude characters. */
const plain = (schema: Schema): Schema => {
  const { format, examples, maxLength, anyOf, propertyNames, maxProperties, ...rest } = mapSchema(
    schema,
    plain,
  );
  if (typeof rest.additionalProperties === 'object')
    return { type: 'object', description: rest.description ?? '' };
  const [one, none] = anyOf ?? [];
  const either = one && none?.type === 'null' ? orNull(one) : anyOf && { anyOf };
  const { pattern, ...others } = { ...rest, ...either } as Schema;
  return { ...others, ...(!String(pattern ?? '^[^').startsWith('^[^') && { pattern }) };
};

const orNull = (schema: Schema): Schema => ({
  ...schema,
  type: [String(schema.type), 'null'],
  ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }),
});
