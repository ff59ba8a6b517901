import { afterAll, expect, test, vi } from "vitest";
import { configure } from "@/lib/testing/settings";
import { closePubsub, subscribe } from "./pubsub";

const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
const warnings = () => said.mock.calls.filter(([line]) => String(line).includes("cannot listen for news yet"));
afterAll(() => said.mockRestore());

test("who subscribes while no settings can be read is heard of later, and nothing is rejected unhandled", async () => {
  const stop = subscribe("own_a", () => {});
  await expect.poll(warnings).toHaveLength(1);
  expect(String(warnings()[0])).toContain("DATABASE_URL is missing");
  stop();
});

test("a connection that comes or breaks once the service drains is nobody's trouble", async () => {
  said.mockClear();
  configure({ DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none", SECRET: "s".repeat(32) });
  subscribe("own_b", () => {});
  await closePubsub();
  // Refused after the first: so the first has been too.
  const { default: pg } = await import("pg");
  await expect(new pg.Client(process.env.DATABASE_URL).connect()).rejects.toThrow();
  expect(warnings()).toEqual([]);
});
