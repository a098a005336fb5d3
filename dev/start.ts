import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { shellOption } from '../core/base/shell-words.ts';
import { allowLocalhost } from '../core/destinations/web-address.ts';
import { settingsOf } from '../lib/settings.ts';
import { type LocalStack, startStack } from '../local/stack.ts';
import { ofContext } from '../ops/base/context-usage.ts';
import { interrupted } from '../ops/base/end-signals.ts';
import { errorText } from '../ops/base/error-text.ts';
import { userAgents } from '../ops/base/user-agents.ts';
import type { Repository, StartOptions } from '../ops/command-line/repository.ts';
import { startConsole } from '../ops/console-server/server.ts';
import { openDeployment } from '../ops/deployment/deployment.ts';
import { factsFile, type StackFacts } from '../ops/deployment/running-stack.ts';
import { type LocalServices, localServices } from '../ops/deployment/service-access.ts';
import { dropLocalTenants, tenantOf } from '../ops/hosts/local-tenants.ts';
import { assemble } from './app.ts';
import { boundCompileCache } from './compile-cache.ts';
import { addressBefore, keepAddress } from './console-address.ts';
import { dataFault, dropStaleFacts, openDataFolder, openLog } from './data-folder.ts';
import { demoProject, memberEmail, prepareDemo, prepareMembers } from './demo.ts';
import { engineOf } from './dynamodb-local.ts';
import { type Flags, flagsOf } from './flags.ts';
import { type IdentityProvider, localClient, startIdentityProvider } from './identity-provider.ts';
import { refuseOlderFolder } from './older-folder.ts';
import { printingLoadFailures, reloadOnChanges } from './reloads.ts';
import type { loadShowcase } from './showcase/load.ts';

type StartOutput = Parameters<Repository['start']>[1];

const start = async (flags: Flags, print: StartOutput['print'], onLogFault: (error: Error) => void) => {
  await openDataFolder(flags.data);
  refuseOlderFolder(flags.data);
  await dropStaleFacts(flags.data);
  if (flags.memory) await dropLocalTenants(flags.data);
  const provider = flags.signIn ? await startIdentityProvider() : undefined;
  const data = flags.memory ? memoryFolder(flags) : flags.data;
  // Only readers of stack.json may call the tables.
  const operatorKey = `operator${randomBytes(12).toString('hex')}`;
  const context = { ...flags.context, ...(provider && localSignIn) };
  const assembly = await assemble(context, { onStart: () => print('Synthesizing the stack …') });
  const stack = await startServices(flags, { assembly, data, provider, operatorKey, print, onLogFault });
  const { outputs } = stack;
  const { ShortDomainTarget, SignInRedirect = '' } = outputs;
  provider?.serveFor(SignInRedirect);
  const services = servicesOf(stack, operatorKey);
  const deployment = openDeployment(outputs, localServices(services, flags.data));
  const { apiBase, shortBase } = deployment;
  const apiKey = await prepareDemo(deployment, data);
  if (provider) await prepareMembers(deployment, data);
  // The console validates links in this process.
  if (flags.localDestinations) allowLocalhost();
  const operatorConsole = await startConsole({
    deployment,
    name: 'Local stack',
    flags: flags.data === '.local' ? '' : shellOption('data', flags.data),
    port: flags.consolePort,
    portOption: '--console-port',
    before: await addressBefore(data),
  }).catch(async (error: unknown) => {
    await stack.stop();
    throw error;
  });
  await keepAddress(data, operatorConsole.address);
  await untilServing(apiBase, apiKey);
  return {
    stack,
    data,
    following: { assembly, assemble: () => assemble(context), print },
    provider,
    operatorConsole,
    deployment,
    facts: {
      apiBaseUrl: apiBase,
      shortBaseUrl: shortBase,
      shortAddress: ShortDomainTarget === undefined ? shortBase : `http://${ShortDomainTarget}`,
      project: demoProject,
      apiKey,
      pid: process.pid,
      consoleUrl: operatorConsole.address,
      ...(provider && { memberConsoleUrl: SignInRedirect.replace(/\/callback$/, '') }),
      localDestinations: flags.localDestinations,
      outputs,
      services,
    } satisfies StackFacts,
  };
};

/** A temporary folder for a watching stack without data: tables in memory would be lost at each reload. */
const memoryFolder = ({ watch }: Flags): string | undefined => {
  if (!watch) return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), 'dls-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

interface Services {
  readonly assembly: string;
  readonly data: string | undefined;
  readonly provider: IdentityProvider | undefined;
  readonly operatorKey: string;
  readonly print: StartOutput['print'];
  readonly onLogFault: (error: Error) => void;
}

/** Starts the services of the template. */
const startServices = async (
  flags: Flags,
  { assembly, data, provider, operatorKey, print, onLogFault }: Services,
): Promise<LocalStack> => {
  // Tables, logs and keys are readable only by their owner. The assemblies were made before and are as public
  // as their sources.
  process.umask(0o077);
  const log = openLog(flags.data, onLogFault);
  return startStack({
    assembly,
    ...(data !== undefined && { data }),
    apiPort: flags.apiPort,
    distributionPort: flags.shortPort,
    operatorKey,
    engine: engineOf(flags.engine),
    tenantOf: tenantOf(flags.data),
    environment: { ...environmentOf(flags), ...(provider && { SIGN_IN: provider.issuer }) },
    portOptions: { api: '--api-port', distribution: '--short-port' },
    log: flags.watch ? printingLoadFailures(log, print) : log,
  });
};

/** Variables that no template contains. */
const environmentOf = ({ localDestinations, localMemoryMs }: Flags) => ({
  LOCAL_RECEIVERS: 'allowed',
  ...(localDestinations && { LOCAL_DESTINATIONS: 'allowed' }),
  ...(localMemoryMs !== undefined && { LOCAL_MEMORY_MS: String(localMemoryMs) }),
});

/** Placeholder settings: the provider's address changes at each start, so it isn't synthesized. */
const localSignIn = { signIn: 'http://127.0.0.1', signInClient: localClient };

/** Access to the services for commands; the secret is the webhook sender's. */
const servicesOf = ({ assembly, endpoint, sqsEndpoint }: LocalStack, operatorKey: string): LocalServices => {
  const sender = assembly.functions.find(({ environment }) => environment.WEBHOOK_SECRET);
  const webhookSecret = sender?.environment.WEBHOOK_SECRET ?? '';
  return { dynamodb: endpoint, sqs: sqsEndpoint, operatorKey, webhookSecret };
};

/** Sends a first request through every layer, so that programs can rely on the next one once stack.json exists. */
const untilServing = async (apiBaseUrl: string, apiKey: string): Promise<void> => {
  const answer = await fetch(`${apiBaseUrl}/1.0/usage`, { headers: { 'X-API-KEY': apiKey } });
  if (!answer.ok)
    throw new Error(`The stack answers ${answer.status} to a first request: ${await answer.text()}`);
};

/** The local address of the edge, which listens only on this machine even with a short domain. */
const localEdge = ({ shortBaseUrl, shortAddress }: StackFacts) =>
  shortAddress === shortBaseUrl
    ? { served: '', host: '' }
    : {
        served: `, here at ${shortAddress} with this host in the Host header`,
        host: ` -H 'Host: ${new URL(shortBaseUrl).host}'`,
      };

/** The region that `--standby` adds. */
const secondRegion = ({ outputs: { StandbyRegion } }: StackFacts) =>
  StandbyRegion === undefined
    ? ''
    : `\nStandby     ${StandbyRegion} ('x-sim-origin-failure: before' or 'after' plays a failure of the first region)`;

const greeting = (facts: StackFacts) => {
  const { apiBaseUrl, shortBaseUrl, shortAddress, apiKey, consoleUrl, memberConsoleUrl } = facts;
  const { served, host } = localEdge(facts);
  return `
API         ${apiBaseUrl}
Short URLs  ${shortBaseUrl}${served}${secondRegion(facts)}
Demo key    ${apiKey}
Console     ${consoleUrl}${memberConsoleUrl ? `\nMembers     ${memberConsoleUrl} (sign in as ${memberEmail('admin')}, ${memberEmail('editor')} or ${memberEmail('viewer')})` : ''}

Create a link, open it as an iPhone, see the click:

curl -s -X POST ${apiBaseUrl}/1.0/links -H 'X-API-KEY: ${apiKey}' -H 'content-type: application/json' -d '{"code":"hello","payload":{"link":"https://example.com/landing","android":{"package":"com.example.app"},"ios":{"app_store_id":"123456789"}}}'
curl -si ${shortAddress}/hello${host} -A '${userAgents.iphone}'
curl -s ${apiBaseUrl}/1.0/links/hello -H 'X-API-KEY: ${apiKey}'

Ctrl-C stops.`;
};

/** The address of the showcase's most varied link. */
const showcaseAddress = (consoleUrl: string): string => {
  const address = new URL(consoleUrl);
  address.pathname = '/p/showcase/links/get-the-app';
  return address.href;
};

/** Loads the showcase; a failure doesn't stop the stack. */
const load = async (...loading: Parameters<typeof loadShowcase>): Promise<void> => {
  const { loadShowcase } = await import('./showcase/load.ts');
  await loadShowcase(...loading).catch((error: unknown) => {
    loading[1].progress(`The showcase is not complete, start again with --demo: ${errorText(error)}`);
  });
};

/** Runs the stack until it is interrupted. Rejects if it can't start or continue. */
export const runLocalStack = async (options: StartOptions, output: StartOutput): Promise<void> => {
  const flags = flagsOf(options);
  // Synthesis would report the same some seconds later.
  ofContext(() => settingsOf(flags.context));
  return run(flags, output).catch((error: unknown) => {
    throw dataFault(flags.data, error);
  });
};

const run = async (flags: Flags, { print, progress }: StartOutput): Promise<void> => {
  const ended = interrupted();
  const logFault = Promise.withResolvers<Error>();
  const unlogged = logFault.promise.then((error) => Promise.reject(error));
  const running = await Promise.race([start(flags, print, logFault.resolve), ended, unlogged]);
  // Interrupted during the start, when there are no user data yet.
  if (!running) return;
  const { provider, operatorConsole, facts, deployment, following, data } = running;
  const file = factsFile(flags.data);
  await writeFile(`${file}.new`, `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  // Before the message about reloads is printed.
  const stack = flags.watch ? reloadOnChanges(running.stack, following) : running.stack;
  print(greeting(facts));
  if (flags.demo) {
    const { writeSharePage } = await import('./showcase/share-page.ts');
    const place = { project: demoProject, folder: flags.data };
    print(`The showcase in the console: ${showcaseAddress(facts.consoleUrl)}`);
    print(`A page that makes share links: ${await writeSharePage(deployment, place)}`);
  }
  if (flags.watch) print('Changes in lambdas, core, lib and console are reloaded when you save them.');
  else if (!flags.demo) print("Try 'npm start -- --demo' for a project with a year of clicks.");
  // An unreadable cache must not end the stack.
  boundCompileCache().catch(() => undefined);
  const ending = new AbortController();
  const onProject = (project: string) => prepareMembers(deployment, data, project);
  const showcase = flags.demo
    ? load(deployment, { progress, signal: ending.signal, ...(provider && { onProject }) })
    : undefined;

  const failure = await Promise.race([ended, stack.died, logFault.promise]);
  ending.abort();
  await showcase;
  await rm(file, { force: true });
  await operatorConsole.stop();
  await provider?.stop();
  await stack.stop();
  if (failure !== undefined) throw failure instanceof Error ? failure : new Error(failure);
};
