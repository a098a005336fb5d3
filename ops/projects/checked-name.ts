import { limits } from '../../core/base/limits.ts';
import { UsageError } from '../base/operator-error.ts';

/** What people call something, checked: not empty, in one line, and no longer than other names. */
export const checkedName = (text: string, what: string): string => {
  const isFit =
    text.trim() !== '' && text.length <= limits.name && text.isWellFormed() && !/\p{Cc}/u.test(text);
  if (isFit) return text;
  throw new UsageError(`${what} must have 1 to ${limits.name} characters, and no control characters`);
};
