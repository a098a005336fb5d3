import * as z from 'zod';
import { platforms } from '../base/platform.ts';
import type { Rule } from './rule-schema.ts';

export const storedRules = z.array(
  z.object({
    name: z.string(),
    countries: z.array(z.string()).optional(),
    languages: z.array(z.string()).optional(),
    platforms: z.array(z.enum(platforms)).optional(),
    from: z.string().optional(),
    until: z.string().optional(),
    link: z.string().optional(),
    split: z.array(z.object({ name: z.string(), percent: z.number(), link: z.string() })).optional(),
  } satisfies Record<keyof Rule, z.ZodType>),
);
