import type { Properties } from './properties.ts';

export interface Resource {
  readonly id: string;
  readonly type: string;
  /** Region of its stack. */
  readonly region: string;
  readonly properties: Properties;
}
