import { appSections } from '../apps/app-fields.ts';
import { examplesOf } from '../fields/field.ts';
import { exampleRules } from '../rules/example-rules.ts';
import { type LinkPayload, namedPayloadFields } from './payload-fields.ts';

/** A payload with every field except ids of saved apps, which would have to exist. */
export const examplePayload = {
  ...Object.fromEntries(
    namedPayloadFields
      .filter(([name]) => !appSections.some(({ appId }) => appId === name))
      .map(([name, entry]) => [name, 'fields' in entry ? examplesOf(entry.fields) : entry.example]),
  ),
  rules: exampleRules,
} as unknown as LinkPayload;
