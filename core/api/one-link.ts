import * as z from 'zod';
import { linkNotFound } from '../base/failure.ts';
import { linkCode } from '../links/stored-link-schema.ts';

export const params = z.object({ code: linkCode });

export const noSuchLink = 'No link with this code in the project.';

/** Shared parts of the contracts for a single link. */
export const oneLink = { params, unmatched: linkNotFound, tag: 'Links' } as const;
