import { expect, it } from "vitest";
import { db } from "@/lib/database/db";
import { anAppWith, anOwner } from "@/lib/testing/factories";
import { readAppAnomalies } from "./app-anomalies";

it("counts each app's anomalies over the last seven days", async () => {
  const { owner, clientId } = await anAppWith("approvals:read");
  expect(await readAppAnomalies(owner)).toEqual(new Map());
  const event = { ownerId: owner.ownerId, appId: clientId, subject: "grt" };
  const days = (count: number) => new Date(Date.now() - count * 86_400_000);
  await db.event.createMany({
    data: [
      { ...event, type: "app.refused", data: { status: 429, count: 12 } },
      { ...event, type: "app.refused", data: { status: 429, count: 30 }, createdAt: days(1) },
      { ...event, type: "app.refused", data: { status: 401, count: 2 } },
      { ...event, type: "app.refused", data: { status: 403, count: 9 } },
      { ...event, type: "app.refused", data: { status: 429, count: 99 }, createdAt: days(8) },
      { ...event, type: "token.reused" },
      { ...event, type: "token.shared" },
    ],
  });
  expect(await readAppAnomalies(owner)).toEqual(
    new Map([[clientId, { tooMany: 42, deadToken: 2, reused: 1, shared: 1 }]]),
  );
  expect(await readAppAnomalies(await anOwner())).toEqual(new Map());
});
