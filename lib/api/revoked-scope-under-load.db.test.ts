import { expect, it } from "vitest";
import { revokeGrant } from "@/lib/grants/grants";
import { revokeScope } from "@/lib/grants/revoke-scope";
import { startFront } from "@/lib/testing/api-server";
import { anAppWith } from "@/lib/testing/factories";

const { ask } = await startFront();

/**
 * Starts twenty readers that call continuously.
 * @returns `since` marks the time of the removal, `later` counts the calls that began afterwards,
 *   and `end` stops the readers and returns the statuses of these calls
 */
function readers(token: string) {
  let running = true;
  let removed = Number.POSITIVE_INFINITY;
  const later: number[] = [];
  const all = Array.from({ length: 20 }, async () => {
    while (running) {
      const began = performance.now();
      const { status } = await ask("GET", "/api/approvals", { token });
      if (began > removed) later.push(status);
    }
  });
  return {
    since: () => (removed = performance.now()),
    later: () => later.length,
    end: async () => {
      running = false;
      await Promise.all(all);
      return later;
    },
  };
}

it.each([
  ["the scope", 403],
  ["all access", 401],
])("returns $1 for reads after the owner revokes %s", async (what, status) => {
  const { owner, clientId, token } = await anAppWith("approvals:read", "approvals:write");
  const running = readers(token);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await (what === "the scope" ? revokeScope(owner, clientId, "approvals:read") : revokeGrant(owner, clientId));
  running.since();
  await expect.poll(running.later).toBeGreaterThan(20);
  const later = await running.end();
  expect(new Set(later)).toEqual(new Set([status]));
});
