import { build, bundle } from "@/lib/cli/prepare-checkout.mjs";
import { progress } from "@/lib/cli/progress.mjs";

/** Builds the service once, before all process tests, which start the service from this build. */
export default async () => {
  const { step } = progress(process.stderr);
  await bundle(step);
  await build(step);
};
