// Runs `npm start` and `npm run dev`. Plain JavaScript, because a fresh checkout can run nothing
// else.
import "./wasm-flags.mjs";
import { Failed } from "./child-program.mjs";
import { describeError } from "./describe-error.mjs";
import { build, bundle, generate, install, nodeTooOld, readEnvFile, root } from "./prepare-checkout.mjs";
import { progress } from "./progress.mjs";

const dev = process.argv.includes("--dev");
// Tests build once and then start many times with this option.
const built = process.argv.includes("--built");
const { say, step } = progress();

const problem = nodeTooOld();
if (problem) fail(problem);

// Must come first, because Next and React read this variable when they load.
process.env.NODE_ENV = dev ? "development" : "production";
process.env.NEXT_TELEMETRY_DISABLED ??= "1";
// Disables Next's own handling, which exits at the first signal. This service drains instead.
process.env.NEXT_MANUAL_SIG_HANDLE = "1";
// Source maps are only for development. In a built service, Node would keep every page's source map
// in memory, which takes 60 MiB.
if (dev) process.setSourceMapsEnabled(true);
process.chdir(root);
readEnvFile();

try {
  await install(step);
  await generate(step);
  const at = await bundle(step);
  // Reports problems with settings and environment before anyone waits for a build.
  const { preflight } = await import(at("lib/cli/preflight.ts"));
  await preflight(process.env, say);
  if (!dev && !built) await build(step);
  const { serve } = await import(at("server.ts"));
  await serve({ dev, say, step });
} catch (error) {
  if (error instanceof Failed) process.stderr.write(error.said);
  fail(describeError(error));
}

/** @param {string} text @returns {never} */
function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
