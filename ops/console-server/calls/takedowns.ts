import * as z from 'zod';
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
import { linkChange, linkPlace } from './link-change.ts';
import { projectCall } from './projects.ts';

const host = z.object({ host: id });

/** Operators' calls against abuse. */
export const takedownCalls = {
  blockLink: linkChange(
    linkPlace.extend({ reason: z.string().max(1000).optional() }),
    (deployment, { reason, ...place }) => blockLink(deployment, place, reason),
  ),

  unblockLink: linkChange(linkPlace, unblockLink),

  suspendProject: projectCall(suspendProject),

  resumeProject: projectCall(resumeProject),

  destinations: consoleCall(z.object({}), (_, { deployment }) => listDestinations(deployment)),

  blockDestination: consoleCall(host, (input, { deployment }) => blockDestination(deployment, input.host)),

  unblockDestination: consoleCall(host, (input, { deployment }) =>
    unblockDestination(deployment, input.host),
  ),
};
