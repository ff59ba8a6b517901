import { quantile, rounded, table } from "../pages/table";
import { client, pause } from "./app-client";
import type { Apps } from "./webhook-apps";

/** Delivery times of answers, in milliseconds. */
const intervalMs = 25;

/**
 * Twenty apps have webhooks, and one app's receiver never responds. The test measures how long the
 * other receivers wait for answers.
 */
export async function hanging({ instances: [instance], hooked }: Apps, answers: number): Promise<void> {
  const apps = hooked.map(({ token }) => client(instance.port, token));
  const ids = await Promise.all(Array.from({ length: answers }, (_, at) => apps[at % apps.length]!.submit()));
  const took: Promise<number>[] = [];
  for (const [at, id] of ids.entries()) {
    const nth = at % apps.length;
    const arrived = hooked[nth]!.arrived(id);
    const began = performance.now();
    await apps[nth]!.resolve(id);
    if (nth < apps.length - 1) took.push(arrived.then(() => performance.now() - began));
    await pause(intervalMs);
  }
  const all = await Promise.all(took);
  const row = [quantile(all, 0.5), quantile(all, 0.95), Math.max(...all)].map(rounded);
  table(
    "Twenty webhooks, one of which hangs: from the answer to the others' receivers in ms",
    ["", "p50", "p95", "worst"],
    [[`${all.length} answers`, ...row]],
  );
}
