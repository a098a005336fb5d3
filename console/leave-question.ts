import { useLayoutEffect } from 'preact/hooks';

let asking = false;

/** Whether the browser asks before the page is left. */
export const asksBeforeLeaving = (): boolean => asking;

const ask = (event: Event) => event.preventDefault();

/** Leaves without a question, for example once a form is saved. */
export const leaveFreely = (): void => {
  removeEventListener('beforeunload', ask);
  asking = false;
};

/** While `active`, the browser asks before the page is left or reloaded. Only one view may use it at a time. */
export const useLeaveQuestion = (active: boolean): void => {
  useLayoutEffect(() => {
    if (!active) return undefined;
    addEventListener('beforeunload', ask);
    asking = true;
    return leaveFreely;
  }, [active]);
};
