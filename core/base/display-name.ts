import { Failure } from './failure.ts';
import { limits } from './limits.ts';

/**
 * A valid display name: not empty, in one line, within the limit. Throws VALIDATION_ERROR otherwise; `what` begins its
 * message, such as "The project's name".
 */
export const requireName = (text: string, what: string): string => {
  const isFit =
    text.trim() !== '' && text.length <= limits.name && text.isWellFormed() && !/\p{Cc}/u.test(text);
  if (isFit) return text;
  throw new Failure(
    'VALIDATION_ERROR',
    `${what} must have 1 to ${limits.name} characters, and no control characters`,
  );
};
