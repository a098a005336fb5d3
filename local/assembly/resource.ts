import type { Properties } from './properties.ts';

export interface Resource {
  readonly id: string;
  readonly type: string;
  readonly properties: Properties;
}
