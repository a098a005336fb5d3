import { errorText } from '../base/error-text.ts';

export interface Finding {
  readonly name: string;
  /** `look`: AWS doesn't answer this question, so only the operator can. */
  readonly result: 'ok' | 'do' | 'look';
  /** The finding, or the action to take. */
  readonly says: string;
}

type Result = Omit<Finding, 'name'>;
export const ok = (says: string): Result => ({ result: 'ok', says });
export const todo = (says: string): Result => ({ result: 'do', says });
export const look = (says: string): Result => ({ result: 'look', says });

/** Makes a finding. If AWS can't be called, that is also a finding with an action. */
export const finding = async (name: string, ask: () => Promise<Result>): Promise<Finding> => {
  try {
    return { name, ...(await ask()) };
  } catch (error) {
    return { name, ...todo(errorText(error)) };
  }
};
