/** Stands in for esbuild in packages, in which everything is built. */
export const buildSync = undefined;
