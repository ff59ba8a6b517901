import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isLoopback } from "@/lib/api/dns-rebinding";
import { cannotListen } from "@/lib/cli/preflight";
import { log } from "@/lib/log";
import type { Snapshot } from "@/lib/telemetry/metrics-registry";

type ListenAddress = { port: number; host: string };

/**
 * Serves metrics as Prometheus text on their own port.
 * @param snapshot returns all metrics; undefined until the service is running
 * @returns the URL, and a function that stops
 * @throws {OperatorError} if it can't listen
 */
export async function serveMetrics({ port, host }: ListenAddress, snapshot: () => Promise<Snapshot | undefined>) {
  const { contentType, textOf } = await import("@/lib/telemetry/metrics-registry");
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, async (req, res) => {
    const answer = (status: number, text: string, type = "text/plain; charset=utf-8") =>
      res.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(text);
    // Prevents DNS rebinding, by which a web page could read metrics that are served only to this
    // computer.
    if (isHere(host) && !isHere(req.headers.host ?? host))
      return answer(
        403,
        "METRICS_HOST is a local address. Use a URL with a local address, like 127.0.0.1, or change METRICS_HOST.\n",
      );
    if (req.url?.split("?")[0] !== "/metrics") return answer(404, "Metrics are at /metrics.\n");
    if (!["GET", "HEAD"].includes(req.method ?? "")) return answer(405, "Method not allowed. Use GET.\n");
    try {
      const metrics = await snapshot();
      if (!metrics) return answer(503, "The service is starting. Try again in a moment.\n");
      answer(200, await textOf(metrics), contentType);
    } catch (error) {
      log.error("could not read the metrics", error);
      answer(500, "Could not read the metrics. See the log for the reason.\n");
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(cannotListen(port, host, error, "METRICS_")));
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}/metrics`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const isHere = (host: string) => {
  const address = `http://${host.includes("::") && !host.startsWith("[") ? `[${host}]` : host}`;
  return URL.canParse(address) && isLoopback(new URL(address).hostname);
};
