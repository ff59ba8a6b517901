import { afterEach, expect, test, vi } from "vitest";
import { pool } from "@/lib/database/db";
import { withRequest } from "@/lib/request-context";
import { configure } from "@/lib/testing/change-settings";
import { databaseTimeouts } from "./database-timeouts";

configure({ DATABASE_POOL: "4" });
afterEach(() => void vi.useRealTimers());

test("lets page requests wait longer for a connection than API requests", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const connect = (kind: string) =>
    withRequest({ id: "req_x", headers: {}, timing: { began: 0 }, route: "GET /", kind }, () => pool().connect()).catch(
      String,
    );
  const busy = [await connect("pages"), await connect("pages"), await connect("api"), await connect("api")];
  const [page, call] = [connect("pages"), connect("api")];
  vi.advanceTimersByTime(databaseTimeouts().appAcquireTimeoutMs + 1);
  expect(await call).toContain("timeout exceeded when trying to connect");
  for (const client of busy) if (typeof client !== "string") client.release();
  const client = await page;
  expect(typeof client).toBe("object");
  if (typeof client !== "string") client.release();
});
