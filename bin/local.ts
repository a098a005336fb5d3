import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { NoEngine, startStack } from '../local/stack.ts';
import { startConsole } from '../ops/console/server.ts';
import { assemble } from '../ops/local/app.ts';
import { dataFault, dropStaleFacts, openDataFolder, openLog } from '../ops/local/data-folder.ts';
import { demoProject, prepareDemo } from '../ops/local/demo.ts';
import { engineOf, javaCommand } from '../ops/local/dynamodb-local.ts';
import { type Flags, readFlags, usage } from '../ops/local/flags.ts';
import { factsFile, type LocalStack } from '../ops/local/running-stack.ts';
import { dropLocalTenants, tenantOf } from '../ops/local/tenants.ts';
import { shellOption } from '../ops/shell-words.ts';
import { localAccess, localHosts, numberOf, openTarget } from '../ops/target.ts';

const start = async (flags: Flags, onLogFault: (error: Error) => void) => {
  await openDataFolder(flags.data);
  await dropStaleFacts(flags.data);
  if (flags.memory) await dropLocalTenants(flags.data);
  const assembly = await assemble(flags.context, () => console.log('Synthesizing the stack …'));
  // Tables, logs and keys are readable only by their owner. The assemblies were made before and are as public
  // as their sources.
  process.umask(0o077);
  const data = flags.memory ? undefined : flags.data;
  // Only who can read stack.json may call the tables.
  const operatorKey = `operator${randomBytes(12).toString('hex')}`;
  const stack = await startStack({
    assembly,
    ...(data !== undefined && { data }),
    apiPort: flags.apiPort,
    distributionPort: flags.shortPort,
    operatorKey,
    engine: engineOf(flags.engine),
    tenantOf: tenantOf(flags.data),
    environment: {
      ...(flags.localDestinations && { LOCAL_DESTINATIONS: 'allowed' }),
      ...(flags.localMemoryMs !== undefined && { LOCAL_MEMORY_MS: String(flags.localMemoryMs) }),
    },
    portOptions: { api: '--api-port', distribution: '--short-port' },
    log: openLog(flags.data, onLogFault),
  });
  const {
    ApiBaseUrl = '',
    ShortBaseUrl = '',
    ShortDomainTarget,
    TableName = '',
    TakedownTable,
    FiguresRetentionDays,
    LinksPerProject,
  } = stack.outputs;
  const figuresRetentionDays = numberOf(FiguresRetentionDays);
  const linksPerProject = numberOf(LinksPerProject);
  const ownHosts = ownHostsOf(stack.outputs);
  const access = localAccess(stack.endpoint, operatorKey);
  const target = {
    ...openTarget({ service: TableName, takedowns: TakedownTable }, ShortBaseUrl, access),
    apiBase: ApiBaseUrl,
    tableName: TableName,
    figuresRetentionDays,
    linksPerProject,
    access,
    ...(ownHosts && { hosts: localHosts(flags.data, ownHosts) }),
  };
  const apiKey = await prepareDemo(target, data);
  const operatorConsole = await startConsole({
    target,
    name: 'Local stack',
    flags: flags.data === '.local' ? '' : shellOption('data', flags.data),
    port: flags.consolePort,
    portOption: '--console-port',
  }).catch(async (error: unknown) => {
    await stack.stop();
    throw error;
  });
  await untilServing(ApiBaseUrl, apiKey);
  return {
    stack,
    operatorConsole,
    facts: {
      apiBaseUrl: ApiBaseUrl,
      shortBaseUrl: ShortBaseUrl,
      shortAddress: ShortDomainTarget === undefined ? ShortBaseUrl : `http://${ShortDomainTarget}`,
      project: demoProject,
      apiKey,
      pid: process.pid,
      dynamodbEndpoint: stack.endpoint,
      operatorKey,
      tableName: TableName,
      takedownTable: TakedownTable,
      figuresRetentionDays,
      linksPerProject,
      consoleUrl: operatorConsole.address,
      ...(ownHosts && { ownHosts }),
    } satisfies LocalStack,
  };
};

const ownHostsOf = ({
  OwnHostsDistributionId: distributionId,
  ShortHosts = '',
}: Readonly<Record<string, string>>): LocalStack['ownHosts'] =>
  distributionId === undefined
    ? undefined
    : { distributionId, aliases: ShortHosts.split(',').filter((host) => host !== '') };

/**
 * Sends a first request through every layer, so that programs can rely on the next one once stack.json
 * exists.
 */
const untilServing = async (apiBaseUrl: string, apiKey: string): Promise<void> => {
  const answer = await fetch(`${apiBaseUrl}/1.0/usage`, { headers: { 'X-API-KEY': apiKey } });
  if (!answer.ok)
    throw new Error(`The stack answers ${answer.status} to a first request: ${await answer.text()}`);
};

/** Even with a short domain the edge listens only on this machine. */
const localEdge = ({ shortBaseUrl, shortAddress }: LocalStack) =>
  shortAddress === shortBaseUrl
    ? { served: '', host: '' }
    : {
        served: `, here at ${shortAddress} with this host in the Host header`,
        host: ` -H 'Host: ${new URL(shortBaseUrl).host}'`,
      };

const greeting = (facts: LocalStack) => {
  const { apiBaseUrl, shortBaseUrl, shortAddress, apiKey, consoleUrl } = facts;
  const { served, host } = localEdge(facts);
  return `
API         ${apiBaseUrl}
Short URLs  ${shortBaseUrl}${served}
Demo key    ${apiKey}
Console     ${consoleUrl}

Create a link, open it as an iPhone, see the click:

curl -s -X POST ${apiBaseUrl}/1.0/links -H 'X-API-KEY: ${apiKey}' -H 'content-type: application/json' -d '{"code":"hello","payload":{"link":"https://example.com/landing","android":{"package":"com.example.app"},"ios":{"app_store_id":"123456789"}}}'
curl -si ${shortAddress}/hello${host} -A 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
curl -s ${apiBaseUrl}/1.0/links/hello -H 'X-API-KEY: ${apiKey}'

Ctrl-C stops.`;
};

const main = async (): Promise<void> => {
  const flags = readFlags(process.argv.slice(2));
  if (flags) await serve(flags).catch((error: unknown) => Promise.reject(dataFault(flags.data, error)));
  else console.log(usage);
};

/** Runs the stack until it is interrupted. Rejects if it can't start, or can't go on. */
const serve = async (flags: Flags): Promise<void> => {
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve());
  });
  const logFault = Promise.withResolvers<Error>();
  const unlogged = logFault.promise.then((error) => Promise.reject(error));
  const running = await Promise.race([start(flags, logFault.resolve), interrupted, unlogged]);
  if (!running) {
    // Interrupted on the way up: there is nothing yet that a user could lose.
    process.exit(0);
  }
  const { stack, operatorConsole, facts } = running;
  const file = factsFile(flags.data);
  await writeFile(`${file}.new`, `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  console.log(greeting(facts));

  const failure = await Promise.race([interrupted, stack.died, logFault.promise]);
  await rm(file, { force: true });
  await operatorConsole.stop();
  await stack.stop();
  if (failure !== undefined) throw failure instanceof Error ? failure : new Error(failure);
  process.exit(0);
};

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  if (error instanceof NoEngine)
    console.error(`With Java 17 or newer ('${javaCommand()}') that is --engine dynamodb-local`);
  process.exit(1);
});
