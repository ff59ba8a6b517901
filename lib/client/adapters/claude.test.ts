import { afterEach, expect, test, vi } from "vitest";
import { Countersign } from "../countersign";
import { command, Gate } from "./claude";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

test("blocks every tool if the token is missing", async () => {
  vi.stubEnv("COUNTERSIGN_URL", "https://yes.example.com");
  vi.stubEnv("COUNTERSIGN_TOKEN", "");
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  await command(() => new Gate(new Countersign()));
  expect(said.mock.calls).toEqual([["TypeError: The token is missing. Pass token, or set COUNTERSIGN_TOKEN.\n"]]);
  // Expects exit status 2, because any other exit status lets the tool run.
  expect(process.exitCode).toBe(2);
});
