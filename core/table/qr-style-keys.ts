import { type Key, keyIn } from './keys.ts';

/** A project's QR style. It has its own item, because each list of links reads the project's. */
export const qrStyleKey = (project: string): Key => keyIn('project', project, 'QRSTYLE');
