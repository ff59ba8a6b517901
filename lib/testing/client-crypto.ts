// In place of the global `crypto` in the npm package: esbuild puts it before what uses that name.
// @ts-expect-error: of the package's own "imports"
export { crypto } from "#crypto";
