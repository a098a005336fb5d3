import { failure } from '../base/messages.ts';
import type { takedownStore } from '../destinations/takedowns.ts';

export type KeyTakedowns = Pick<ReturnType<typeof takedownStore>, 'isBlocked'>;

/** Whether a link's publishable key is blocked: such links lead nowhere, as blocked links do. */
export const isHidden = async (
  { shareKey }: { readonly shareKey?: string | undefined },
  { isBlocked }: KeyTakedowns,
): Promise<boolean> => shareKey !== undefined && (await isBlocked())?.(shareKey) === true;

/** Refuses a change of such a link as of a blocked one. Throws BAD_REQUEST. */
export const refuseHidden = async (...link: Parameters<typeof isHidden>): Promise<void> => {
  if (await isHidden(...link)) throw failure('keyBlocked');
};
