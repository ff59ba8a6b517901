import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@/lib/net/free-port";
import { findProgram } from "../find-program";
import { background, listening } from "./background-process";
import { asShipped } from "./documented-config";

/** The reason for skipping tests when SPQR's router is missing. */
export const noSpqr = "needs SPQR's router: spqr-router in PATH, or its path in TEST_SPQR";

export const findSpqr = (): string | undefined => findProgram("spqr-router", "TEST_SPQR");

/** SPQR's router in front of the shards `main` and `two`. */
export type SpqrRouter = {
  /** The router's URL, with the same database, role and password as the shards. */
  url: string;
  output(): string;
  end(): Promise<void>;
};

/**
 * Starts SPQR's router with the configuration docs/operations/spqr-router.yaml.
 * @param urls the URLs of the shards, with the same database, role and password
 */
export async function startSpqr(program: string, urls: { main: string; two: string }): Promise<SpqrRouter> {
  const [main, two] = [new URL(urls.main), new URL(urls.two)];
  const folder = mkdtempSync(join(tmpdir(), "countersign-spqr-"));
  const [port, console, api] = [await freePort(), await freePort(), await freePort()];
  const configuration = asShipped("spqr-router.yaml", {
    '"6432"': `"${port}"`,
    '"7432"': `"${console}"`,
    '"7001"': `"${api}"`,
    "db1.example.com:5432": main.host,
    "db2.example.com:5432": two.host,
    'db: "countersign"': `db: "${main.pathname.slice(1)}"`,
    'usr: "countersign"': `usr: "${main.username}"`,
    '"PASSWORD"': `"${main.password}"`,
  });
  const file = join(folder, "router.yaml");
  writeFileSync(file, configuration, { mode: 0o600 });
  const router = background(program, ["run", "--config", file]);
  await listening(router, port);
  const through = new URL(urls.main);
  through.host = `127.0.0.1:${port}`;
  return {
    url: through.href,
    output: router.output,
    end: async () => {
      await router.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
