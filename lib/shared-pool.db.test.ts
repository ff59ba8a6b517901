import { afterEach, expect, test, vi } from "vitest";
import { env } from "@/lib/env";
import { handling } from "@/lib/request-context";
import { connectionWait, SharedPool } from "./shared-pool";

afterEach(() => void vi.useRealTimers());

test("a page waits for a connection longer than an app's call, which is told to try again", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const pool = new SharedPool({ connectionString: env().databaseUrl, max: 4 });
  // The database goes with its file's tests, maybe before the last connection has said good-bye.
  pool.on("connect", (client) => client.on("error", () => {}));
  const connect = (kind: string) =>
    handling({ id: "req_x", headers: {}, route: "GET /", kind }, () => pool.connect()).catch(String);
  const busy = [await connect("pages"), await connect("pages"), await connect("api"), await connect("api")];
  const [page, call] = [connect("pages"), connect("api")];
  vi.advanceTimersByTime(connectionWait + 1);
  expect(await call).toContain("timeout exceeded when trying to connect");
  for (const client of busy) if (typeof client !== "string") client.release();
  const client = await page;
  expect(typeof client).toBe("object");
  if (typeof client !== "string") client.release();
  await pool.end();
});
