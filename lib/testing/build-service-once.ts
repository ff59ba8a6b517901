import { build, bundle } from "@/lib/cli/prepare-checkout.mjs";
import { progress } from "@/lib/cli/progress.mjs";

/** Process tests start the service from a build. Builds it once, before all of them. */
export default async () => {
  const { step } = progress(process.stderr);
  await bundle(step);
  await build(step);
};
