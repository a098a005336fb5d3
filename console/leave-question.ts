import { useLayoutEffect } from 'preact/hooks';

let asking = false;

/** Whether the browser asks before the page is left. */
export const asksBeforeLeaving = (): boolean => asking;

/** While `active`, the browser asks before the page is left or loaded again. One view at a time uses it. */
export const useLeaveQuestion = (active: boolean): void => {
  useLayoutEffect(() => {
    if (!active) return undefined;
    const ask = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', ask);
    asking = true;
    return () => {
      removeEventListener('beforeunload', ask);
      asking = false;
    };
  }, [active]);
};
