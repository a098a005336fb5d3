import * as z from 'zod';
import { scopes } from '../../../core/projects/api-key.ts';
import { createKey, listKeys, revokeKey } from '../../keys.ts';
import { call } from '../call.ts';
import { project } from './projects.ts';

export const keyCalls = {
  keys: call(z.object({ project }), (input, { target }) => listKeys(target, input.project)),

  /** The only call whose answer holds a secret: the key that it has just made. */
  createKey: call(
    z.object({
      project,
      user: z.string().optional(),
      scopes: z.array(z.enum(scopes)).min(1),
    }),
    (input, { target }) => createKey(target, input),
  ),

  revokeKey: call(z.object({ keyId: z.string() }), (input, { target }) => revokeKey(target, input.keyId)),
};
