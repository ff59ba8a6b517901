import { build, bundle } from "@/lib/cli/prepare.mjs";
import { progress } from "@/lib/cli/progress.mjs";

/** The process tests start the service as built, several at once: it is built before, once. */
export default async () => {
  const { step } = progress(process.stderr);
  await bundle(step);
  await build(step);
};
