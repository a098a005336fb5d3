import { limits } from '../../core/base/limits.ts';
import { UsageError } from '../base/operator-error.ts';

/** A valid display name: not empty, in one line, within the limit. Throws UsageError otherwise. */
export const checkedName = (text: string, what: string): string => {
  const isFit =
    text.trim() !== '' && text.length <= limits.name && text.isWellFormed() && !/\p{Cc}/u.test(text);
  if (isFit) return text;
  throw new UsageError(`${what} must have 1 to ${limits.name} characters, and no control characters`);
};
