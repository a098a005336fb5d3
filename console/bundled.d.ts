declare module 'lucide/dist/esm/icons/*.mjs' {
  const icon: readonly (readonly [tag: string, attributes: Readonly<Record<string, string | number>>])[];
  export default icon;
}

/** Set by the script's first line. */
declare const brand: import('../lib/console-bundle.ts').Brand;
/** Whether this is the operators' bundle, which alone has their views. */
declare const FOR_OPERATORS: boolean;
