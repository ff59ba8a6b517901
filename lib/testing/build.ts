import { build } from "@/lib/cli/prepare.mjs";
import { progress } from "@/lib/cli/progress.mjs";

/** The process tests start the service as built, several at once: it is built before, once. */
export default () => build(progress(process.stderr).step);
