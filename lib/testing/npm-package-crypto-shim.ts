// Replaces the global `crypto` in the npm package. esbuild injects it into modules that use that
// name.
// @ts-expect-error: resolved by the package's own "imports"
export { crypto } from "#crypto";
