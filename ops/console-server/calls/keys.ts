import * as z from 'zod';
import { scopes } from '../../../core/api-keys/scopes.ts';
import { callsOfProject, createKey, listKeys, revokeKey } from '../../projects/keys.ts';
import { createShareKey, updateShareKey } from '../../projects/share-keys.ts';
import { consoleCall, id } from '../call.ts';
import { project, projectCall } from './projects.ts';

export const keyCalls = {
  keys: projectCall(listKeys),

  /** A project's API calls by key, in this hour and the one before. */
  requests: consoleCall(z.object({ project }), (input, { deployment, now }) =>
    callsOfProject(deployment, input.project, now),
  ),

  /** Only this response contains the key. */
  createKey: consoleCall(
    z.object({
      project,
      user: z.string().optional(),
      scopes: z.array(z.enum(scopes)).min(1),
    }),
    (input, { deployment }) => createKey(deployment, input),
  ),

  createShareKey: consoleCall(
    z.object({ project, template: z.unknown() }),
    async (input, { deployment }) => ({
      ...(await createShareKey(deployment, input.project, input.template)),
      url: `${deployment.apiBase}/1.0/share-links`,
    }),
  ),

  updateShareKey: consoleCall(z.object({ keyId: id, template: z.unknown() }), (input, { deployment }) =>
    updateShareKey(deployment, input.keyId, input.template),
  ),

  revokeKey: consoleCall(
    z.object({ keyId: id, withLinks: z.boolean().optional() }),
    ({ keyId, withLinks }, { deployment }) => revokeKey(deployment, keyId, { withLinks }),
  ),
};
