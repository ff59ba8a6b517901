import { describe, expect, test } from "vitest";
import { submitApproval } from "@/lib/approvals/approvals";
import { changeApp, findClient, listApps } from "@/lib/apps/apps";
import { rotateSecret } from "@/lib/apps/client-secrets";
import { finishAcrossShards } from "@/lib/cli/finish-across-shards";
import { change } from "@/lib/events/change-transaction";
import { deleteApp } from "@/lib/grants/delete-app";
import { answerApproval } from "@/lib/testing/answer-approval";
import { aCode, aGrantedToken, askToken, bearer } from "@/lib/testing/oauth-flow";
import { aQuestion } from "@/lib/testing/sample-question";
import { aParty, elsewhere, here, liveGrants, setUpTwoShards } from "@/lib/testing/two-shards";
import { inEveryShard } from "./marks";

/* Outages of the directory or of another shard, also in the middle of a change of both. */

const shards = setUpTwoShards();

const scope = "approvals:write approvals:read";
describe("a transaction that changes an owner's shard and the directory", () => {
  /** Changes the owner's name and the app's name in one transaction. */
  const rename = ({ owner, app }: Awaited<ReturnType<typeof aParty>>, atEnd: () => void) =>
    change(owner, async (tx) => {
      await tx.app.update({ where: { id: app.clientId }, data: { name: "Renamed" } });
      await tx.owner.update({ where: { id: owner.ownerId }, data: { name: "Renamed" } });
      atEnd();
    });
  const renamed = async ({ owner, app }: Awaited<ReturnType<typeof aParty>>) => [
    await shards.counts("SELECT FROM owner WHERE id = $1 AND name = 'Renamed'", [owner.ownerId]),
    (await shards.counts("SELECT FROM app WHERE id = $1 AND name = 'Renamed'", [app.clientId]))[0],
  ];

  test("commits both", async () => {
    const party = await aParty(shards);
    await rename(party, () => {});
    expect(await renamed(party)).toEqual([[0, 1], 1]);
  });

  test("rolls back both after an error", async () => {
    const party = await aParty(shards);
    const failing = rename(party, () => {
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await renamed(party)).toEqual([[0, 0], 0]);
  });

  test("rolls back both if the owner's shard is lost", async () => {
    const party = await aParty(shards);
    await expect(rename(party, () => shards.gates[1].close())).rejects.toThrow();
    expect(await renamed(party)).toEqual([[0, 0], 0]);
  });

  test("fails after the owner's part if the directory is lost, so it can be repeated", async () => {
    const party = await aParty(shards);
    await expect(rename(party, () => shards.gates[0].close())).rejects.toThrow();
    expect(await renamed(party)).toEqual([[0, 1], 0]);
    shards.gates[0].open();
    await rename(party, () => {});
    expect(await renamed(party)).toEqual([[0, 1], 1]);
  });
});

test("ends the grants on a shard that was away during the deletion of an app", async () => {
  const { app } = await aParty(shards, here);
  await aGrantedToken({ owner: await elsewhere(), app }, { scope });
  shards.gates[1].close();
  await deleteApp(app.owner, app.clientId);
  expect(await liveGrants(shards, app.clientId)).toEqual([0, 1]);
  shards.gates[1].open();
  await expect
    .poll(async () => {
      await inEveryShard(finishAcrossShards).catch(() => {});
      return liveGrants(shards, app.clientId);
    })
    .toEqual([0, 0]);
});

test("finishes the deletion of an account if only its shard's part was done", async () => {
  const { app } = await aParty(shards);
  await aGrantedToken({ owner: await here(), app }, { scope });
  const { ownerId } = app.owner;
  const route = `INSERT INTO email_route (email, owner_id, created_at) VALUES ($1, $1, now() - interval '2 hours')`;
  await shards.clients[0].query(route, [ownerId]);
  await shards.clients[1].query("SET session_replication_role = replica");
  await shards.clients[1].query("DELETE FROM owner WHERE id = $1", [ownerId]);
  await inEveryShard(finishAcrossShards);
  expect(await liveGrants(shards, app.clientId)).toEqual([0, 0]);
  expect(await findClient(app.clientId)).toBeNull();
  expect(await shards.counts("SELECT FROM email_route WHERE owner_id = $1", [ownerId])).toEqual([0, 0]);
});

test("keeps known apps and owners going while the directory is away", async () => {
  const party = await aParty(shards);
  const { reply, token } = await aGrantedToken(party, { scope });
  const { form } = await aCode(party, { scope });
  const client = { client_id: party.app.clientId, client_secret: party.app.clientSecret };
  await rotateSecret(party.app.owner, party.app.clientId).then(({ clientSecret }) => {
    client.client_secret = clientSecret;
  });
  const secrets = () =>
    Promise.all(
      shards.clients.map(
        async (each) => (await each.query("SELECT secret_last4 FROM app WHERE id = $1", [client.client_id])).rows,
      ),
    );
  await expect.poll(async () => new Set((await secrets()).map((rows) => JSON.stringify(rows))).size).toBe(1);
  shards.gates[0].close();
  const { id } = await submitApproval(bearer(token, "approvals:write"), aQuestion);
  await answerApproval(party.owner, id, { kind: "option", optionId: "ship" });
  expect((await askToken({ ...form, ...client })).status).toBe(200);
  const renewed = await askToken({ ...client, grant_type: "refresh_token", refresh_token: reply.refresh_token });
  expect(renewed.status).toBe(200);
  expect((await listApps(party.app.owner)).map((app) => app.clientId)).toEqual([client.client_id]);
  await expect(changeApp(party.app.owner, client.client_id, { redirectUris: [] })).rejects.toThrow();
  shards.gates[0].open();
});
