// For images: everything that `npm start` would make before it starts.
import { build, bundle, generate, root } from "./prepare.mjs";
import { progress } from "./progress.mjs";

const { step } = progress();
process.chdir(root);
await generate(step);
await bundle(step);
await build(step);
