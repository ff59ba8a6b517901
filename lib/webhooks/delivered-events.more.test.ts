import { afterAll, beforeEach, expect, it } from "vitest";
import { db } from "@/lib/database/db";
import { deleteApp } from "@/lib/grants/delete-app";
import { revokeGrant } from "@/lib/grants/grants";
import { revokeScope } from "@/lib/grants/revoke-scope";
import type { Address } from "@/lib/net/dns";
import { fetchDependencies } from "@/lib/net/guarded-fetch";
import { aHookedApp, answer, ask, sendingTo } from "@/lib/testing/app-with-webhook";
import { anOwner, aTokenFor } from "@/lib/testing/factories";
import { deliveriesOf, sendAll, turnAll } from "@/lib/testing/send-due-webhooks";
import { aReceiver, verified } from "@/lib/testing/webhook-receiver";
import { addEndpoint, removeEndpoint, switchEndpoint } from "./endpoints";

const receiver = await aReceiver();
const { resolve } = fetchDependencies;
beforeEach(() => {
  sendingTo([receiver.origin]);
  fetchDependencies.resolve = resolve;
});
afterAll(() => receiver.close());

const hooked = (path: string, how: Parameters<typeof aHookedApp>[1] = {}) =>
  aHookedApp(receiver.origin + path, { types: ["approval.resolved"], ...how });
const types = (path: string) => receiver.at(path).map(({ body }) => JSON.parse(body).type as string);

it("sends each webhook only its app's events", async () => {
  const [one, two] = [await anOwner(), await anOwner()];
  const apps = [await hooked("/t13-a", { owner: one }), await hooked("/t13-b", { owner: one })];
  const asked: { path: string; owner: string; id: string }[] = [];
  for (const [at, { clientId, app }] of apps.entries()) {
    const other = await aTokenFor(two, clientId, ["approvals:write", "approvals:read"]);
    for (const [owner, actor] of [
      [one, app],
      [two, other.app],
    ] as const) {
      const id = await ask(actor);
      await answer(owner, id);
      asked.push({ path: at === 0 ? "/t13-a" : "/t13-b", owner: owner.ownerId, id });
    }
  }
  // The webhook is not affected by an owner who has not connected the app, or by an owner of
  // another app.
  const bystander = await hooked("/t13-c");
  await answer(bystander.owner, await bystander.ask());
  await sendAll();
  for (const [at, path] of ["/t13-a", "/t13-b"].entries()) {
    const told = receiver.at(path).map((message) => verified(apps[at]!.secret, message));
    const expected = asked.filter((each) => each.path === path);
    expect(told.map(({ sub, data }) => [sub, data.id]).sort()).toEqual(
      expected.map(({ owner, id }) => [owner, id]).sort(),
    );
  }
  expect(receiver.at("/t13-c")).toHaveLength(1);
  const ids = receiver.got.filter(({ path }) => path.startsWith("/t13")).map(({ headers }) => headers["webhook-id"]);
  expect(new Set(ids).size).toBe(5);
});

it("sends all event types to a webhook by default", async () => {
  const [all, some] = [await hooked("/all", { types: [] }), await hooked("/some")];
  for (const app of [all, some]) await app.answer(await app.ask());
  await sendAll();
  expect(types("/all").sort()).toEqual(["approval.resolved", "approval.submitted"]);
  expect(types("/some")).toEqual(["approval.resolved"]);
});

it("sends a webhook only events that the grant's scopes allow", async () => {
  const app = await hooked("/scope");
  const [kept, lost] = [await app.ask(), await app.ask()];
  await app.answer(kept);
  await sendAll();
  await revokeScope(app.owner, app.clientId, "approvals:read");
  await app.answer(lost);
  await sendAll();
  expect(receiver.at("/scope").map(({ body }) => JSON.parse(body).data.id)).toEqual([kept]);
  expect(await deliveriesOf(app.id)).toHaveLength(1);
});

it.each([
  ["the grant is revoked", (app: App) => revokeGrant(app.owner, app.clientId)],
  ["a scope is revoked", (app: App) => revokeScope(app.owner, app.clientId, "approvals:read")],
  ["the grant expires", (app: App) => runOut(app)],
  ["the app is deleted", (app: App) => deleteApp(app.registrar, app.clientId)],
])("drops pending deliveries after %s", async (what, end) => {
  const path = `/f16-${what.replaceAll(" ", "-")}`;
  const app = await hooked(path);
  await app.answer(await app.ask());
  await turnAll();
  expect(await deliveriesOf(app.id)).toMatchObject([{ state: "pending" }]);
  await end(app);
  await sendAll();
  expect(receiver.at(path)).toEqual([]);
  expect(await deliveriesOf(app.id)).toMatchObject([{ state: "dropped", body: "", attempts: 0 }]);
});
type App = Awaited<ReturnType<typeof aHookedApp>>;
const runOut = ({ clientId }: App) =>
  db.$executeRaw`UPDATE app_grant SET expires_at = now() - interval '1 second' WHERE app_id = ${clientId}`;

it("sends nothing to a disabled or removed webhook", async () => {
  const [off, gone] = [await hooked("/off"), await hooked("/removed")];
  for (const app of [off, gone]) await app.answer(await app.ask());
  await turnAll();
  await switchEndpoint(off.registrar, off.id, false);
  await removeEndpoint(gone.registrar, gone.id);
  for (const app of [off, gone]) await app.answer(await app.ask());
  await sendAll();
  await switchEndpoint(off.registrar, off.id, true);
  await sendAll();
  expect([...receiver.at("/off"), ...receiver.at("/removed")]).toEqual([]);
  expect(await deliveriesOf(off.id)).toMatchObject([{ state: "dropped", body: "" }]);
  expect(await deliveriesOf(gone.id)).toEqual([]);
  await off.answer(await off.ask());
  await sendAll();
  expect(receiver.at("/off")).toHaveLength(1);
});

it("sends no events that happened before a webhook's creation", async () => {
  const app = await hooked("/before");
  const earlier = await app.ask();
  await app.answer(earlier);
  const late = await addEndpoint(app.registrar, app.clientId, { url: `${receiver.origin}/late` });
  await sendAll();
  expect(receiver.at("/before")).toHaveLength(1);
  expect(receiver.at("/late")).toEqual([]);
  await app.answer(await app.ask());
  await sendAll();
  expect(types("/late").sort()).toEqual(["approval.resolved", "approval.submitted"]);
  expect(await deliveriesOf(late.id)).toHaveLength(2);
});

it("never connects a webhook to a private address", async () => {
  const canary = await aReceiver();
  const { port } = new URL(canary.origin);
  const hosts = [
    ...["127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0", "0.0.0.0", "①②⑦.⓪.⓪.①", "127。0。0。1"],
    ...["[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "localhost"],
    ...["169.254.169.254", "10.0.0.1", "192.168.0.1", "100.64.0.1", "[fd00:ec2::254]", "[fe80::1]"],
    ...["private.example", "mixed.example", "rebinding.example"],
  ];
  let asked = 0;
  const to = (...addresses: string[]): Address[] =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  fetchDependencies.resolve = async (host) => {
    if (host === "mixed.example") return to("1.1.1.1", "127.0.0.1");
    if (host !== "rebinding.example") return to("127.0.0.1");
    // The name resolves to public addresses when it is checked, and would resolve to a private one
    // afterwards.
    return asked++ === 0 ? to("1.1.1.1", "::1") : to("127.0.0.1");
  };
  sendingTo([receiver.origin], "0,0,0");
  const app = await hooked("/t11");
  for (const host of hosts) {
    // Writes the URL directly to the database, because the service would reject it.
    await db.$executeRaw`UPDATE webhook_endpoint SET url = ${`https://${host}:${port}/x`}, failures = 0 WHERE id = ${app.id}`;
    await app.answer(await app.ask());
    await sendAll();
  }
  const deliveries = await deliveriesOf(app.id);
  expect(deliveries.map(({ state }) => state)).toEqual(hosts.map(() => "failed"));
  const problems = deliveries.flatMap(({ attemptRows }) => attemptRows.map(({ problem }) => problem));
  expect(problems).toEqual(Array(hosts.length * 3).fill("The address is not public"));
  expect(asked).toBe(3);
  // URLs with http, and redirects to them, are also rejected.
  await db.$executeRaw`UPDATE webhook_endpoint SET url = ${`${canary.origin}/x`}, failures = 0 WHERE id = ${app.id}`;
  await app.answer(await app.ask());
  await sendAll();
  expect((await deliveriesOf(app.id)).at(-1)?.attemptRows.map(({ problem }) => problem)).toEqual(
    Array(3).fill("The address is not an https address"),
  );
  for (const code of [301, 302, 307, 308]) {
    receiver.on("/t11", (res) => res.writeHead(code, { location: `${canary.origin}/caught` }).end());
    await db.$executeRaw`UPDATE webhook_endpoint SET url = ${`${receiver.origin}/t11`}, failures = 0 WHERE id = ${app.id}`;
    await app.answer(await app.ask());
    await sendAll();
  }
  expect(receiver.at("/t11")).toHaveLength(12);
  expect(canary.got).toEqual([]);
  canary.close();
});
