import * as z from 'zod';
import { linkCode } from '../../../core/links/stored-link-schema.ts';
import type { LinkId } from '../../../core/table/keys.ts';
import type { DeploymentAccess } from '../../deployment/deployment.ts';
import { consoleCall } from '../call.ts';
import { project } from './projects.ts';

export const linkPlace = z.object({ project, code: linkCode });

/** A call that changes a link. The console's list then reads the link again. */
export const linkChange = <Read extends LinkId, Sent>(
  input: z.ZodType<Read, Sent>,
  change: (deployment: DeploymentAccess, input: Read) => Promise<unknown>,
) =>
  consoleCall(input, async (given, { deployment, indexes }) => {
    await change(deployment, given);
    await indexes.refresh(given.project, given.code);
    return null;
  });
