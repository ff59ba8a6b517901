import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { ownDatabase } from "@/lib/testing/own-database";
import { startService } from "@/lib/testing/service-process";
import { testShards } from "@/lib/testing/shards/shard-count";

// Only Linux reports another process's memory. Node releases the memory that the start used
// some seconds later, and later still on a busy machine. The limit is for one database.
test.skipIf(process.platform !== "linux" || testShards > 0)(
  "settles below 130 MiB of memory before the first request",
  async () => {
    const [database, dataDir] = [await ownDatabase(), newDataDir(0o700)];
    onTestFinished(() => database.end());
    onTestFinished(() => removeDataDir(dataDir));
    const service = await startService({ DATABASE_URL: database.url, DATA_DIR: dataDir });
    onTestFinished(() => service.stop());
    const residentKilobytes = () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.child.pid}/status`, "utf8"))?.[1]);
    await expect.poll(residentKilobytes, { timeout: 240_000, interval: 500 }).toBeLessThan(130 * 1024);
  },
);
