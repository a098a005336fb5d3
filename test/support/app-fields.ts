import { type AppFieldName, type AppPlatform, namedAppFields } from '../../core/apps/app-fields.ts';

/** The fields of a saved app of one platform. */
export const fieldsOfPlatform = (platform: AppPlatform): AppFieldName[] =>
  namedAppFields.flatMap(([name, field]) => (field.platform === platform ? [name] : []));
