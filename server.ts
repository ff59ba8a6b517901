import { onShutdownSignal } from "@/lib/cli/on-shutdown-signal";
import { prepareStartup, type StartStep } from "@/lib/cli/prepare-startup";
import { env, readSettings } from "@/lib/config/env";
import { warnOfUntrustedProxy } from "@/lib/http/proxy-warnings";
import { freePort } from "@/lib/net/free-port";
import { anyOwner } from "@/lib/owners/find-accounts";
import { setupLink } from "@/lib/owners/first-account-setup";
import { type Serving, shutDown } from "@/lib/serving/graceful-shutdown";
import { serveMetrics } from "@/lib/serving/metrics-server";

/** A requested stop ends within 10 s: most of it for requests, the rest for the database. */
const shutdownTimeoutSeconds = 9.5;

type Start = { dev: boolean; say: (line: string) => void; step: StartStep };

/**
 * Start the service: settings, database, migrations and servers. Runs until SIGINT or SIGTERM.
 * @throws {SettingError | OperatorError | InUse | MigrationError} with a sentence for the operator
 */
export async function serve({ dev, say, step }: Start) {
  const settings = readSettings(process.env);
  // Links contain the port before anything listens, so PORT=0 is replaced by a free port here.
  if (settings.PORT === 0) process.env.PORT = String(await freePort(settings.HOST));
  const place = { dev, host: settings.HOST, port: Number(process.env.PORT || settings.PORT) };

  const ready = await prepareStartup("service", step);
  process.env.PUBLIC_URL = env().publicUrl;

  let serving: Serving | undefined;
  let metrics: Awaited<ReturnType<typeof serveMetrics>> | undefined;
  onShutdownSignal(async () => {
    await shutDown(serving, settings.DRAIN_DELAY, say);
    metrics?.stop();
    await ready.close();
    say("Stopped");
  }, settings.DRAIN_DELAY + shutdownTimeoutSeconds);

  let hasOwner: boolean;
  try {
    hasOwner = await anyOwner();
    const { METRICS_PORT: port, METRICS_HOST: host } = settings;
    if (port !== undefined) metrics = await serveMetrics({ port, host }, async () => serving?.snapshot?.());
    serving = await step("Starting the pages", async () =>
      (await import("@/lib/serving/start-serving")).startServing(settings, place),
    );
  } catch (error) {
    await ready.close();
    throw error;
  }
  warnOfUntrustedProxy();

  const setUp = hasOwner ? "" : `\nCreate the first account here: ${setupLink()}`;
  say(`\nCountersign is at ${env().publicUrl}${setUp}`);
  if (metrics) say(`Metrics are at ${metrics.url}`);
}
