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
    async ({ reason, ...input }, { deployment, indexes }) => {
      await blockLink(deployment, input, reason);
      await indexes.refresh(input.project, input.code);
      return null;
    },
  ),

  unblockLink: consoleCall(one, async (input, { deployment, indexes }) => {
    await unblockLink(deployment, input);
    await indexes.refresh(input.project, input.code);
    return null;
  }),

  suspendProject: consoleCall(z.object({ project }), (input, { deployment }) =>
    suspendProject(deployment, input.project),
  ),

  resumeProject: consoleCall(z.object({ project }), (input, { deployment }) =>
    resumeProject(deployment, input.project),
  ),

  destinations: consoleCall(z.object({}), (_, { deployment }) => listDestinations(deployment)),

  blockDestination: consoleCall(host, (input, { deployment }) => blockDestination(deployment, input.host)),

  unblockDestination: consoleCall(host, (input, { deployment }) =>
    unblockDestination(deployment, input.host),
  ),
};
