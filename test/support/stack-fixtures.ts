import { newProject, type TestProject } from './api.ts';
import {
  connectToStack,
  dataFolder,
  dropDataFolder,
  type RunningStack,
  startLocalStack,
} from './local-stack.ts';

/** A stack for one file: started before its tests, stopped and forgotten after them. */
export const ownStack = (...flags: readonly string[]): RunningStack => {
  const data = dataFolder();
  let stack: RunningStack | undefined;
  beforeAll(async () => {
    stack = await startLocalStack(data, ...flags);
  });
  afterAll(async () => {
    await stack?.stop();
    dropDataFolder(data);
  });
  return onceThere(() => stack);
};

/**
 * The stack that the files of one run share, in memory, with the default context; its functions remember hosts and
 * suspensions for half a second. Each file works in its own projects.
 */
export const sharedStack = (): RunningStack => {
  let stack: RunningStack | undefined;
  beforeAll(async () => {
    stack = await connectToStack(process.env.SHARED_STACK ?? '');
  });
  afterAll(() => stack?.stop());
  return onceThere(() => stack);
};

/** A project of the file's own, made before its tests. */
export const projectOn = (stack: RunningStack): TestProject => {
  let project: TestProject | undefined;
  beforeAll(async () => {
    project = await newProject(stack);
  });
  return onceThere(() => project);
};

/** Stands for what a hook is about to make. */
const onceThere = <Value extends object>(find: () => Value | undefined): Value =>
  // Every property is read of the value itself.
  new Proxy({} as Value, {
    get: (_, name) => {
      const value = find();
      if (!value) throw new Error(`${String(name)} is read before the tests begin`);
      return Reflect.get(value, name);
    },
  });
