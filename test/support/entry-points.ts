import { DynamicLinks } from '../../client/index.ts';
import { takeInventory } from '../../client/program/inventory.ts';
import { wantedLinks } from '../../client/program/link-file.ts';
import { stepsOf } from '../../client/program/plan.ts';
import { withRefusals } from '../../client/program/validation.ts';
import { handlersOf } from '../../console/calls/members-calls.ts';
import { columns, moreColumns } from '../../core/links/link-columns.ts';
import { answerCall } from '../../ops/console-server/answer-call.ts';
import { LinkIndexes } from '../../ops/console-server/link-index.ts';
import { localDeployment } from '../../ops/deployment/deployment.ts';
import { anId, type TestProject } from './api.ts';
import { outputOf } from './command.ts';
import { importText } from './imports.ts';
import { listen } from './listen.ts';
import type { RunningStack } from './local-stack.ts';

export type Body = Readonly<Record<string, unknown>>;
const refuse = (message: string): never => {
  throw new Error(message);
};

/** All entry points that change and read a project's links. Each rejects with the message that it shows. */
export const openEntryPoints = async (stack: RunningStack, project: TestProject) => {
  const deployment = await localDeployment(stack.data);
  const indexes = new LinkIndexes(deployment.stores);
  const console = await listen((request, response) => {
    const subject = { request, response, deployment, name: '', flags: '', indexes };
    void answerCall(request.url?.slice(1) ?? '', subject);
  });
  const client = new DynamicLinks({ url: stack.facts.apiBaseUrl, key: project.key, retries: 0 });
  const handlers = handlersOf({ email: 'ann@example.com', projects: [] }, (_, ask) => ask(client));
  return {
    project,
    api: async (method: string, path: string, body?: unknown): Promise<unknown> => {
      const { body: answer } = await project.call(method, path, body);
      return answer.success ? answer.data : refuse(answer.error.message ?? answer.error);
    },
    /** Runs a command with a JSON body on standard input. */
    command: async (args: readonly string[], body?: unknown): Promise<unknown> => {
      const named = args[0] === 'project' ? [project.id] : ['--project', project.id];
      const words = [...args, ...named, '--data', stack.data, '--json'];
      return JSON.parse(await outputOf(words, { input: JSON.stringify(body) }));
    },
    operators: async (name: string, input?: Body): Promise<unknown> => {
      const response = await fetch(`${console.endpoint}/${name}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ project: project.id, ...input }),
      });
      const { data, error } = JSON.parse((await response.text()).trim().split('\n').at(-1) ?? '{}');
      return error ? refuse(error.message) : data;
    },
    // The table names calls as text; a console's views are checked by the compiler.
    members: (name: string, input?: Body): Promise<unknown> =>
      handlers[name as 'links']({ project: project.id, ...input }, {}),
    imported: async (name: string, text: string): Promise<unknown> => {
      const [row] = await importText(deployment, { name, text, project: project.id });
      return row?.result === 'created' ? row : refuse(row?.details[0] ?? row?.result ?? 'no row');
    },
    planned: async (code: string, link: Body): Promise<unknown> => {
      const text = JSON.stringify({ owner: 'web', links: { [code]: link } });
      const wanted = wantedLinks([{ file: 'links.json', text }]);
      const inventory = await takeInventory(client, wanted, () => undefined);
      const steps = stepsOf(wanted, inventory, { adopt: true, orphans: 'keep' });
      const [step] = await withRefusals(client, steps, wanted);
      return step?.action === 'refused' ? refuse(step.reason ?? '') : step;
    },
    stop: console.stop,
  };
};

export type EntryPoints = Awaited<ReturnType<typeof openEntryPoints>>;

/** A link as the API shows it, without fields that differ between links of equal content. */
export const contentOf = async ({ api }: EntryPoints, code: string): Promise<unknown> => {
  const { name, tags, expiresAt, status, payload } = (await api('GET', `/links/${code}`)) as Body;
  const apps = Object.keys(payload as Body).filter((field) => field.endsWith('AppId'));
  const ids = Object.fromEntries(apps.map((field) => [field, anId]));
  return { name, tags, expiresAt, status, payload: { ...(payload as Body), ...ids } };
};

/** A link as a line of our own CSV; nothing if no column holds one of its fields. */
export const csvOf = (link: Body): string | undefined => {
  const cells = new Map(['shortUrl', 'createdAt'].map((name) => [name, '']));
  for (const [path, value] of leavesOf(link)) {
    const column = [...columns, ...moreColumns].find(({ name, field = name }) => field === path);
    const isList = Array.isArray(value) && value.every((one) => typeof one === 'string' && /^\S+$/.test(one));
    const text = isList ? value.join(' ') : value;
    if (!column || typeof text !== 'string' || text.trim() !== text || text === '') return undefined;
    // A UTF-8 file can't contain it.
    if (!text.isWellFormed()) return undefined;
    cells.set(column.name, text);
  }
  const line = (texts: Iterable<string>) =>
    [...texts].map((text) => `"${text.replaceAll('"', '""')}"`).join(',');
  return cells.has('link') ? `${line(cells.keys())}\n${line(cells.values())}\n` : undefined;
};

/** A refusal of a CSV file with the fields for which its columns stand. */
export const byFields = (refusal: string): string =>
  refusal.replace(/(?<=^|; )\w+(?=: )/g, (column) => {
    const known = [...columns, ...moreColumns].find(({ name }) => name === column);
    return known?.field ?? column;
  });

const leavesOf = (value: unknown, path: readonly string[] = []): [string, unknown][] => {
  const parts =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  // Empty objects are leaves, too: no cell holds one.
  if (parts.length === 0) return [[path.join('.'), value]];
  return parts.flatMap(([name, one]) => leavesOf(one, [...path, name]));
};
