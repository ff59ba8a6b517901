// Builds everything that `npm start` would build at its first run, so that container images contain
// it.
import { build, bundle, generate, root } from "./prepare-checkout.mjs";
import { progress } from "./progress.mjs";

const { step } = progress();
process.chdir(root);
await generate(step);
await bundle(step);
await build(step);
