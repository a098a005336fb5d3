import { type Key, keyIn, type LinkId } from './keys.ts';

/** A history entry of a link; ids sort by time. It has its own kind, so that its writer can't write links. */
export const historyKey = ({ project, code }: LinkId, entry: string): Key =>
  keyIn('history', `${project}#${code}`, entry);
