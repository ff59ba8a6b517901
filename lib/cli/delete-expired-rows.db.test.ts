import { expect, it } from "vitest";
import { registerClient } from "@/lib/apps/dynamic-client-registration";
import { db } from "@/lib/database/db";
import { inService } from "@/lib/database/shards/marks";
import { revokeGrant } from "@/lib/grants/grants";
import { anApp, anOwner, aTokenFor } from "@/lib/testing/factories";
import { anOpenRequest } from "@/lib/testing/oauth-flow";
import { atEveryShard } from "@/lib/testing/shards/at-every-shard";
import { holdingApps, sweep } from "./delete-expired-rows";

it("deletes expired rate limits and idempotency keys in the sweep", async () => {
  await db.$executeRaw`
    INSERT INTO throttle (key, failures, expires_at)
    SELECT 'old/' || n, 1, now() - interval '1 second' FROM generate_series(1, 2500) n`;
  await db.$executeRaw`INSERT INTO throttle (key, failures, expires_at) VALUES ('new', 1, now() + interval '1 minute')`;
  await inService(
    () => db.$executeRaw`
      INSERT INTO idempotency (owner_id, app_id, operation, key, request_hash, status, reply, created_at)
      SELECT 'o', 'a', 'op', age::text, '', 201, '{}', now() - age
      FROM unnest(ARRAY['25 hours', '23 hours']::interval[]) age`,
  );
  expect(await atEveryShard(sweep)).toBe(2501);
  expect((await db.throttle.findMany()).map(({ key }) => key)).toEqual(["new"]);
  expect(await db.idempotency.count()).toBe(1);
  expect(await atEveryShard(sweep)).toBe(0);
});

it("lists every table that refers to an app", async () => {
  const held = await db.$queryRaw<{ name: string }[]>`
    SELECT conrelid::regclass::text AS name FROM pg_constraint WHERE contype = 'f' AND confrelid = 'app'::regclass`;
  expect(held.map(({ name }) => name).sort()).toEqual([...holdingApps].sort());
});

it("deletes self-registered apps that have no owner after a day", async () => {
  const redirectUris = ["https://app.example/callback"];
  const described = { name: "Passer-by", redirectUris, grantTypes: ["authorization_code"], echoed: {} };
  const register = async (hours: number) => {
    const { client_id } = await registerClient({ ...described, authMethod: "none" });
    await db.$executeRaw`UPDATE app SET created_at = now() - make_interval(hours => ${hours}::int) WHERE id = ${client_id}`;
    return client_id;
  };
  const [young, old, letIn, once, asking] = [
    await register(23),
    await register(25),
    await register(25),
    await register(25),
    await register(25),
  ];
  const manual = await anApp();
  await db.$executeRaw`UPDATE app SET created_at = now() - interval '1 year' WHERE id = ${manual.clientId}`;
  const owner = await anOwner();
  for (const clientId of [letIn, once]) await aTokenFor(owner, clientId, ["approvals:read"]);
  await revokeGrant(owner, once);
  await anOpenRequest({ app: { ...manual, clientId: asking } });
  await atEveryShard(sweep);
  const left = await db.app.findMany({ where: { id: { in: [young, old, letIn, once, asking, manual.clientId] } } });
  expect(left.map(({ id }) => id).sort()).toEqual([young, letIn, once, asking, manual.clientId].sort());
});
