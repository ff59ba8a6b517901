// Provides `crypto` in the npm package. esbuild injects this module wherever code uses the global
// name.
// @ts-expect-error: resolved by the package's own "imports"
export { crypto } from "#crypto";
