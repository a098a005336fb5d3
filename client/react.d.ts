/* What this package uses of React. Its own types would add the names of HTML elements to every file of this repository. */

declare module 'react' {
  export function useCallback<Callback>(callback: Callback, dependencies: readonly unknown[]): Callback;
  export function useSyncExternalStore<Value>(
    subscribe: (notify: () => void) => () => void,
    get: () => Value,
    getOnServer: () => Value,
  ): Value;
}
