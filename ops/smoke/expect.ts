import type { SmokeResponse } from './session.ts';

/** Throws with both sides when they differ. */
export const same = (what: string, found: unknown, wanted: unknown): void => {
  const [left, right] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (left !== right) throw new Error(`${what} is ${left ?? 'missing'}, should be ${right}`);
};

export const expectTrue = (what: string, condition: boolean): void => {
  if (!condition) throw new Error(what);
};

/** The response, if it has the status; otherwise throws an Error with its content. */
export const answered = (answer: SmokeResponse, status: number): SmokeResponse => {
  if (answer.status === status) return answer;
  throw new Error(`answered ${answer.status}, should be ${status}: ${answer.text.slice(0, 200)}`);
};

/** Checks a refusal in the API's own shape. */
export const refused = (answer: SmokeResponse, status: number, code: string): SmokeResponse => {
  answered(answer, status);
  same('success', answer.json?.success, false);
  same('error.code', answer.json?.error?.code, code);
  return answer;
};

export const header = (answer: SmokeResponse, name: string): string => answer.headers.get(name) ?? '';
