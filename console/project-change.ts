const changed = 'console-project-changed';

/** Notifies the project's views that it was suspended or resumed. */
export const announceProjectChange = (): void => {
  dispatchEvent(new Event(changed));
};

/** Calls `look` at each change. Returns a function that stops this. */
export const onProjectChange = (look: () => void): (() => void) => {
  addEventListener(changed, look);
  return () => removeEventListener(changed, look);
};
