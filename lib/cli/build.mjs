// Container images need everything that `npm start` would otherwise build first. This builds it.
import { build, bundle, generate, root } from "./prepare.mjs";
import { progress } from "./progress.mjs";

const { step } = progress();
process.chdir(root);
await generate(step);
await bundle(step);
await build(step);
