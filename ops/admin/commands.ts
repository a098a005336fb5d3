import {
  type ApiKey,
  generateApiKey,
  identifyApiKey,
  type Scope,
  scopes,
} from '../../core/projects/api-key.ts';
import { type Project, projectIdPattern, shortBaseOf, subscriptions } from '../../core/projects/project.ts';
import { associationCommands } from './associations.ts';
import { figureCommands } from './figures.ts';
import { OperatorError, type Target } from './target.ts';

/** One `noun verb` of the command line. */
export interface Command {
  readonly usage: string;
  readonly summary: string;
  /** Options beyond those that every command takes. */
  readonly options?: readonly string[];
  /** Names of the arguments, all of them required. */
  readonly arguments?: readonly string[];
  /** The option to which further arguments belong, as in `--sha256 A B`. */
  readonly more?: string;
  readonly run: (input: Input, target: Target) => Promise<object>;
}

export interface Input {
  readonly argument: (position: number) => string;
  /** Of an option that was given several times, all values with commas. */
  readonly option: (name: string) => string | undefined;
}

/** A key as operators see it: without what would let anybody use or guess it. */
export const showKey = ({ keyId, project, scopes, createdBy, createdAt, revokedAt }: ApiKey) => ({
  keyId,
  project,
  scopes,
  createdBy,
  createdAt,
  ...(revokedAt && { revokedAt }),
});

const showProject = (project: Project, { shortBase }: Target) => ({
  id: project.id,
  name: project.name,
  subscription: project.subscription,
  shortBase: shortBaseOf(project, shortBase),
  createdAt: project.createdAt,
});

export const commands: Readonly<Record<string, Command>> = {
  'project create': {
    usage: 'ID [--name TEXT] [--subscription active|inactive]',
    summary: 'Create a project',
    arguments: ['ID'],
    options: ['name', 'subscription'],
    async run({ argument, option }, target) {
      const id = argument(0);
      if (!projectIdPattern.test(id)) {
        throw new OperatorError(
          `'${id}' is no project id: it takes 2 to 32 of a-z, 0-9 and -, starting and ending with a letter or digit`,
        );
      }
      const project: Project = {
        id,
        name: option('name') ?? id,
        subscription: subscriptionOf(option('subscription') ?? 'active'),
        createdAt: new Date().toISOString(),
      };
      if (!(await target.stores.projects.create(project)))
        throw new OperatorError(`The project ${id} exists already`);
      return showProject(project, target);
    },
  },
  'project show': {
    usage: 'ID',
    summary: 'Show a project',
    arguments: ['ID'],
    run: async ({ argument }, target) => showProject(await projectOf(argument(0), target), target),
  },
  'project list': {
    usage: '',
    summary: 'List all projects',
    run: async (_, target) =>
      (await target.stores.projects.list()).map((project) => showProject(project, target)),
  },
  'project subscription': {
    usage: 'ID active|inactive',
    summary: 'Say whether a project may create links',
    arguments: ['ID', 'active|inactive'],
    async run({ argument }, target) {
      const project = await target.stores.projects.setSubscription(argument(0), subscriptionOf(argument(1)));
      if (!project) throw noProject(argument(0));
      return showProject(project, target);
    },
  },
  'key create': {
    usage: '--project ID [--user USER] [--scopes a,b]',
    summary: 'Create an API key; it is shown this once',
    options: ['project', 'user', 'scopes'],
    async run({ option }, target) {
      const { id } = await projectOf(required(option, 'project'), target);
      const { apiKey, key } = newKey(id, option('user') ?? 'admin', scopesOf(option('scopes')));
      await target.stores.apiKeys.create(key);
      return { keyId: key.keyId, apiKey, project: id, scopes: key.scopes, createdBy: key.createdBy };
    },
  },
  'key list': {
    usage: '--project ID',
    summary: "List a project's API keys",
    options: ['project'],
    async run({ option }, target) {
      const { id } = await projectOf(required(option, 'project'), target);
      return (await target.stores.apiKeys.list(id)).map(showKey);
    },
  },
  'key revoke': {
    usage: 'KEYID',
    summary: 'Revoke an API key, at once',
    arguments: ['KEYID'],
    async run({ argument }, target) {
      const key = await target.stores.apiKeys.revoke(argument(0), new Date());
      if (!key) throw new OperatorError(`There is no key ${argument(0)}`);
      return showKey(key);
    },
  },
  'domain assign': {
    usage: 'HOST --project ID',
    summary: 'Give a host to a project: its short URLs become https://HOST/{code}',
    arguments: ['HOST'],
    options: ['project'],
    async run({ argument, option }, target) {
      const host = hostOf(argument(0));
      const { id: project } = await projectOf(required(option, 'project'), target);
      const shared = host === new URL(target.shortBase).host;
      if (!(await target.stores.domains.assign({ host, project, ...(shared && { shared }) }))) {
        const owner = await target.stores.domains.find(host);
        throw new OperatorError(
          `The host ${host} belongs to the project ${owner?.project}: remove it there first`,
        );
      }
      return { host, project };
    },
  },
  'domain list': {
    usage: '',
    summary: 'List all hosts with their projects',
    run: (_, target) => target.stores.domains.list(),
  },
  'domain remove': {
    usage: 'HOST',
    summary: "Take a host away from its project; the host's short URLs stop working",
    arguments: ['HOST'],
    async run({ argument }, target) {
      const host = hostOf(argument(0));
      const domain = await target.stores.domains.find(host);
      if (!domain || !(await target.stores.domains.remove(domain))) {
        throw new OperatorError(`The host ${host} belongs to no project`);
      }
      return domain;
    },
  },
  ...associationCommands,
  ...figureCommands,
};

/** A new key and what is stored of it. */
export const newKey = (project: string, user: string, granted: readonly Scope[]) => {
  const apiKey = generateApiKey();
  const identity = identifyApiKey(apiKey);
  if (!identity) throw new Error('A generated key must have the shape of a key');
  const key: ApiKey = {
    ...identity,
    project,
    scopes: granted,
    createdBy: user,
    createdAt: new Date().toISOString(),
  };
  return { apiKey, key };
};

const required = (option: Input['option'], name: string): string => {
  const value = option(name);
  if (value === undefined) throw new OperatorError(`--${name} is missing`);
  return value;
};

const noProject = (id: string) => new OperatorError(`There is no project ${id}`);

const projectOf = async (id: string, { stores }: Target): Promise<Project> => {
  const project = await stores.projects.find(id);
  if (!project) throw noProject(id);
  return project;
};

const subscriptionOf = (text: string): Project['subscription'] => {
  const subscription = subscriptions.find((one) => one === text);
  if (!subscription)
    throw new OperatorError(`A subscription is ${subscriptions.join(' or ')}, not '${text}'`);
  return subscription;
};

const scopesOf = (text: string | undefined): readonly Scope[] => {
  if (text === undefined) return scopes;
  return text.split(',').map((name) => {
    const scope = scopes.find((one) => one === name.trim());
    if (!scope) throw new OperatorError(`'${name}' is no scope; there are ${scopes.join(', ')}`);
    return scope;
  });
};

const hostPattern = /^(?=.{1,259}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{1,63}(:\d{1,5})?$/;

const hostOf = (text: string): string => {
  const host = text.toLowerCase();
  if (!hostPattern.test(host)) throw new OperatorError(`'${text}' is no host name, such as go.example.com`);
  return host;
};
