import { afterAll, expect, test, vi } from "vitest";
import { configure } from "@/lib/testing/change-settings";
import { closePubsub, subscribe } from "./pubsub";

const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
const warnings = () =>
  said.mock.calls.filter(([line]) => String(line).includes("could not listen for changes; the service will retry"));
afterAll(() => said.mockRestore());

test("logs a warning when a listener subscribes without a database URL", async () => {
  const stop = subscribe("own_a", () => {});
  await expect.poll(warnings).toHaveLength(1);
  expect(String(warnings()[0])).toContain("DATABASE_URL is missing");
  stop();
});

test("logs no warning about a broken connection during a drain", async () => {
  said.mockClear();
  configure({ DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none", SECRET: "s".repeat(32) });
  subscribe("own_b", () => {});
  await closePubsub();
  // The subscription's connection must have been rejected as well, because this later connection
  // was.
  const { default: pg } = await import("pg");
  await expect(new pg.Client(process.env.DATABASE_URL).connect()).rejects.toThrow();
  expect(warnings()).toEqual([]);
});
