import * as z from 'zod';
import { linkCode } from '../../../core/links/stored-link-schema.ts';
import {
  blockDestination,
  blockLink,
  listDestinations,
  resumeProject,
  suspendProject,
  unblockDestination,
  unblockLink,
} from '../../takedowns/takedowns.ts';
import { consoleCall, id } from '../call.ts';
import { project } from './projects.ts';

const one = z.object({ project, code: linkCode });
const host = z.object({ host: id });

/** Operators' calls against abuse. */
export const takedownCalls = {
  blockLink: consoleCall(
    one.extend({ reason: z.string().max(1000).optional() }),
    async ({ reason, ...input }, { target, indexes }) => {
      await blockLink(target, input, reason);
      await indexes.refresh(input.project, input.code);
      return null;
    },
  ),

  unblockLink: consoleCall(one, async (input, { target, indexes }) => {
    await unblockLink(target, input);
    await indexes.refresh(input.project, input.code);
    return null;
  }),

  suspendProject: consoleCall(z.object({ project }), (input, { target }) =>
    suspendProject(target, input.project),
  ),

  resumeProject: consoleCall(z.object({ project }), (input, { target }) =>
    resumeProject(target, input.project),
  ),

  destinations: consoleCall(z.object({}), (_, { target }) => listDestinations(target)),

  blockDestination: consoleCall(host, (input, { target }) => blockDestination(target, input.host)),

  unblockDestination: consoleCall(host, (input, { target }) => unblockDestination(target, input.host)),
};
