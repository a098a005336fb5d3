import { type Key, keyIn, type LinkId } from './keys.ts';

/** What a change of a link left; entries sort by time. A kind of its own, so that whoever writes it can't write links. */
export const historyKey = ({ project, code }: LinkId, entry: string): Key =>
  keyIn('history', `${project}#${code}`, entry);
