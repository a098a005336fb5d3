/* React's parts for tests. */

declare module 'react' {
  interface Element {
    readonly type: unknown;
  }
  export const StrictMode: unknown;
  export function createElement(type: unknown, properties?: object | null, ...children: Element[]): Element;
}

declare module 'react-test-renderer' {
  export interface ReactTestRenderer {
    toJSON(): unknown;
    unmount(): void;
  }
  export function act(change: () => Promise<void>): Promise<void>;
  export function create(element: ReturnType<typeof import('react').createElement>): ReactTestRenderer;
}
