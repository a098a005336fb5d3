import { newProject, type TestProject } from './api.ts';
import { newFolder } from './folder.ts';
import { connectToStack, type RunningStack, startLocalStack } from './local-stack.ts';
import { ofFile } from './of-file.ts';

/** A stack for one file: started before its tests and stopped after them. */
export const ownStack = (...flags: readonly string[]): RunningStack =>
  ofFile(() => startLocalStack(newFolder(), ...flags));

/**
 * The stack that the files of one run share, in memory, with the default context; its functions remember hosts and
 * suspensions for half a second. Each file works in its own projects.
 */
export const sharedStack = (): RunningStack => ofFile(() => connectToStack('shared'));

/** Another shared stack: on disk, with a sign-in and `extendedContext`. The first file that uses it starts it. */
export const extendedStack = (): RunningStack => ofFile(() => connectToStack('extended'));

/** A project of the file's own, made before its tests. */
export const projectOn = (stack: RunningStack): TestProject => ofFile(() => newProject(stack));
