import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { engineClient } from '../../local/testing.ts';
import { userAgents } from '../../ops/base/user-agents.ts';
import { newLink, newProject } from '../support/api.ts';
import { newFolder } from '../support/folder.ts';
import { expectEventually, type RunningStack, startLocalStack } from '../support/local-stack.ts';
import { testAtNight } from '../support/nightly.ts';
import { root } from '../support/source-files.ts';

const perSecond = 200;
const seconds = { before: 10, away: 60, after: 20 };
/** Each of them comes back after 50 seconds, so none has four later clicks, which would make an earlier one uncertain. */
const visitors = 10_000;
const links = 20;

const port = 28_917;
const endpoint = `http://127.0.0.1:${port}`;

/** The first region's engine, which can be killed without the second region's. */
const startEngine = async (folder: string): Promise<ChildProcess> => {
  const child = spawn(process.execPath, ['local/test/engine/program.ts', String(port), folder], {
    cwd: root,
  });
  const client = engineClient(endpoint);
  await expectEventually(() => client.call('ListTables', {}).then(Boolean, () => false)).toBe(true);
  client.close();
  return child;
};

const kill = async (child: ChildProcess) => {
  child.kill('SIGKILL');
  await once(child, 'exit');
};

interface Visit {
  /** Milliseconds since the first visit. */
  readonly at: number;
  readonly ms: number;
  /** 0: no response. */
  readonly status: number;
}

/** Starts visits at a steady rate; `stop` resolves to all of them, after the last response. */
const startVisits = (short: string, paths: readonly string[]) => {
  const agent = new Agent({ keepAlive: true });
  const visits: Promise<Visit>[] = [];
  const start = performance.now();
  const visit = async (index: number): Promise<Visit> => {
    const begun = performance.now();
    const visitor = index % visitors;
    const headers = {
      'user-agent': userAgents.desktop,
      'x-sim-viewer-address': `203.0.${visitor >> 8}.${visitor & 255}`,
    };
    const status = await new Promise<number>((resolve) => {
      const sent = request(`${short}${paths[index % paths.length]}`, { agent, headers }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0));
      });
      sent.once('error', () => resolve(0)).end();
    });
    return { at: begun - start, ms: performance.now() - begun, status };
  };
  const timer = setInterval(() => {
    const due = ((performance.now() - start) / 1000) * perSecond;
    while (visits.length < due) visits.push(visit(visits.length));
  }, 5);
  return {
    stop: async () => {
      clearInterval(timer);
      const all = await Promise.all(visits);
      agent.destroy();
      return all;
    },
  };
};

testAtNight(
  "a minute without the first region's table shows visitors no error, and each answered visit counts once",
  async () => {
    const [data, folder] = [newFolder(), newFolder()];
    let engine = await startEngine(folder);
    let stack: RunningStack | undefined;
    try {
      stack = await startLocalStack(data, '--standby', '--engine', endpoint);
      const running = stack;
      const project = await newProject(running);
      const codes = await Promise.all(
        Array.from({ length: links }, async () => (await newLink(project)).code),
      );
      const paths = codes.map((code) => `/${project.id}/${code}`);
      // Not as a person, so that these don't count.
      const notAPerson = { 'x-sim-origin-failure': 'before', 'User-Agent': 'Googlebot/2.1' };
      for (const path of paths)
        await expectEventually(async () => (await running.visit(path, notAPerson)).status).not.toBe(404);
      const load = startVisits(running.facts.shortBaseUrl, paths);
      await delay(seconds.before * 1000);
      await kill(engine);
      await delay(seconds.away * 1000);
      const api = await running.api('GET', '/usage');
      expect(api.status).toBe(503);
      engine = await startEngine(folder);
      await delay(seconds.after * 1000);
      const visits = await load.stop();
      const killedAt = seconds.before * 1000;
      const failed = visits.filter(({ status }) => status !== 302);
      const underWay = failed.filter(({ at, ms }) => at <= killedAt && at + ms >= killedAt - 1000);
      expect(failed).toEqual(underWay);
      const answered = visits.length - failed.length;
      const counted = async () => {
        const found = await Promise.all(codes.map((code) => project.call('GET', `/links/${code}`)));
        return found.reduce((sum, { body }) => sum + body.data.analytics.totalClicks, 0);
      };
      const begun = performance.now();
      // Messages that the table refused come again after six minutes.
      const end = begun + 600_000;
      while ((await counted()) < answered && performance.now() < end) await delay(5000);
      expect(await counted()).toBe(answered);
      await expectEventually(() => running.admin('standby', 'show')).toMatchObject({ clicksWaiting: 0 });
      expect(await counted()).toBe(answered);
      expect(running.log()).not.toContain('"ClickUncertain"');
    } finally {
      await stack?.stop();
      await kill(engine);
    }
  },
  1_200_000,
);
