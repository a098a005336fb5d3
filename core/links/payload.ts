import { ruleAddresses } from '../rules/rule.ts';
import { type LinkPayload, namedPayloadFields } from './payload-fields.ts';

/** A payload of a request or of a stored link; updates may contain nulls. */
type Given = { readonly [Name in keyof LinkPayload]?: LinkPayload[Name] | null };

/** Addresses in a payload by the paths of their fields, including unset ones. */
export const addressesOf = (payload: Given): Record<string, string | null | undefined> => {
  const found: Record<string, string | null | undefined> = {};
  for (const [name, entry] of namedPayloadFields) {
    const value = payload[name];
    if (!('fields' in entry)) {
      if (entry.kind === 'address') found[`payload.${name}`] = value as string | null | undefined;
      continue;
    }
    const section = (value ?? {}) as Readonly<Record<string, string | undefined>>;
    for (const [field, { kind }] of Object.entries(entry.fields)) {
      if (kind === 'address') found[`payload.${name}.${field}`] = section[field];
    }
  }
  return { ...found, ...ruleAddresses(payload.rules ?? [], 'payload.rules') };
};
