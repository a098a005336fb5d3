import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEngine } from '../../engine/engine.ts';
import { engineClient } from '../../engine/engine-client.ts';
import type { EngineProgram } from '../../engine/engine-program.ts';
import { newFolder } from '../folder.ts';
import { until } from '../until.ts';

const script = join(import.meta.dirname, 'program.ts');
const engine: EngineProgram = {
  name: 'program.ts',
  command: (port, folder) => [process.execPath, script, String(port), folder],
};
const ownerOf = (data: string) => JSON.parse(readFileSync(join(data, 'engine.json'), 'utf8'));
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const aDeadProcess = async () => {
  const dead = spawn(process.execPath, ['-e', '']);
  await once(dead, 'exit');
  return dead.pid;
};

describe('an engine that is a program', () => {
  test('is called by its endpoint, and ends when it is stopped', async () => {
    const data = newFolder();
    const running = await startEngine({ engine, data });
    const client = engineClient(running.endpoint);
    expect(await client.call('ListTables', {})).toEqual({ TableNames: [] });
    client.close();
    const { enginePid } = ownerOf(data);
    await running.stop();
    await until(() => !isAlive(enginePid));
  });

  test('left behind by a killed stack is stopped', async () => {
    const data = newFolder();
    const left = await startEngine({ engine, data });
    writeFileSync(join(data, 'engine.json'), JSON.stringify({ ...ownerOf(data), pid: await aDeadProcess() }));
    const next = await startEngine({ engine, data });
    await expect(left.died).resolves.toContain('ended unexpectedly');
    await next.stop();
  });

  test("is not mistaken for another process with the old engine's id", async () => {
    const data = newFolder();
    const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const owner = { pid: await aDeadProcess(), enginePid: bystander.pid };
    writeFileSync(join(data, 'engine.json'), JSON.stringify(owner));
    const next = await startEngine({ engine, data });
    expect(isAlive(bystander.pid ?? 0)).toBe(true);
    bystander.kill();
    await next.stop();
  });

  test("another running stack's engine keeps its folder", async () => {
    const data = newFolder();
    const other = await startEngine({ engine, data });
    writeFileSync(join(data, 'engine.json'), JSON.stringify({ ...ownerOf(data), pid: process.ppid }));
    await expect(startEngine({ engine, data, stackFolder: '.local' })).rejects.toThrow(
      `Another local stack (process ${process.ppid}) is using the data folder .local: stop it, or choose another with --data DIR`,
    );
    await other.stop();
  });

  test('prints the reason in one line when it ends, at its start or later', async () => {
    const data = newFolder();
    writeFileSync(join(data, 'tables.sqlite'), 'this is no database, it only looks like one'.repeat(100));
    const error = await startEngine({ engine, data }).catch(String);
    expect(error).toContain(`(program.ts) can't work in ${data}`);
    expect(error).not.toContain('\n');
    const dying = await startEngine({ engine, data: newFolder() });
    const died = dying.died;
    await dying.stop();
    const killed = newFolder();
    const second = await startEngine({ engine, data: killed });
    process.kill(ownerOf(killed).enginePid, 'SIGKILL');
    await expect(second.died).resolves.toContain('program.ts');
    expect(await Promise.race([died, 'still'])).toBe('still');
    await second.stop();
  });
});
