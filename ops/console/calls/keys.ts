import * as z from 'zod';
import { scopes } from '../../../core/api-keys/api-key.ts';
import { createKey, listKeys, projectCalls, revokeKey } from '../../projects/keys.ts';
import { call, id } from '../call.ts';
import { project } from './projects.ts';

export const keyCalls = {
  keys: call(z.object({ project }), (input, { target }) => listKeys(target, input.project)),

  /** The calls of a project by its keys, in this hour and the one before. */
  requests: call(z.object({ project }), (input, { target, now }) => projectCalls(target, input.project, now)),

  /** The response holds the key, this once. */
  createKey: call(
    z.object({
      project,
      user: z.string().optional(),
      scopes: z.array(z.enum(scopes)).min(1),
    }),
    (input, { target }) => createKey(target, input),
  ),

  revokeKey: call(z.object({ keyId: id }), (input, { target }) => revokeKey(target, input.keyId)),
};
