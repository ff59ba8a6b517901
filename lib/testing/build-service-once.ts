import { build, bundle } from "@/lib/cli/prepare-checkout.mjs";
import { progress } from "@/lib/cli/progress.mjs";

/** Process tests start the built service several times, so it is built once in advance. */
export default async () => {
  const { step } = progress(process.stderr);
  await bundle(step);
  await build(step);
};
