import * as z from 'zod';
import { call } from './call.ts';
import { linkCalls } from './calls/links.ts';
import { projectCalls } from './calls/projects.ts';

/** Every call of the page, by its name. */
export const calls = {
  /** What the console works on, and how the command line names it. */
  target: call(z.object({}), async (_, { name, flags, target }) => ({
    name,
    flags,
    shortBase: target.shortBase,
  })),
  ...projectCalls,
  ...linkCalls,
};

export type Calls = typeof calls;
