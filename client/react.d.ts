/* The parts of React that this package uses. React's own types would declare HTML elements in the whole repository. */

declare module 'react' {
  export function useCallback<Callback>(callback: Callback, dependencies: readonly unknown[]): Callback;
  export function useSyncExternalStore<Value>(
    subscribe: (notify: () => void) => () => void,
    get: () => Value,
    getOnServer: () => Value,
  ): Value;
}
