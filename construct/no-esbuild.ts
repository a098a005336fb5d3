/** Stands in for esbuild in the package, in which everything is built. */
export const buildSync = undefined;
