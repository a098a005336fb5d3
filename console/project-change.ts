const changed = 'console-project-changed';

/** Says that a project was suspended or resumed, which every view of it shows. */
export const announceProjectChange = (): void => {
  dispatchEvent(new Event(changed));
};

/** Calls `look` at each change; returns what ends that. */
export const onProjectChange = (look: () => void): (() => void) => {
  addEventListener(changed, look);
  return () => removeEventListener(changed, look);
};
