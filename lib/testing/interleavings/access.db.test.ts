import { expect } from "vitest";
import { authenticate } from "@/lib/access/authorization";
import { submitApproval, tryResolve } from "@/lib/approvals/approvals";
import { contentHash } from "@/lib/approvals/content-hash";
import { type Client, requireClient } from "@/lib/apps/apps";
import { pool } from "@/lib/database/db";
import { change } from "@/lib/events/change-transaction";
import { everyApp, freeze, unfreeze } from "@/lib/freeze/freeze";
import { stopLateQuestions } from "@/lib/freeze/stop-late-questions";
import { addScopes, getOrCreateGrant } from "@/lib/grants/create-and-change-grant";
import { revokeGrant } from "@/lib/grants/grants";
import { newId } from "@/lib/ids";
import { TokenError } from "@/lib/oauth/client-authentication";
import { refresh } from "@/lib/oauth/refresh";
import { issueTokens } from "@/lib/oauth/token-issuance";
import { recordUse, recordUseWithReceipt } from "@/lib/receipts/use-answer";
import { answerApproval } from "@/lib/testing/answer-approval";
import { configure } from "@/lib/testing/change-settings";
import { anAppWith } from "@/lib/testing/factories";
import { aParty, bearer } from "@/lib/testing/oauth-flow";
import { aQuestion } from "@/lib/testing/sample-question";
import { connectWithoutTriggers } from "./connection-without-triggers";
import { explore, lanes } from "./explore";

/* What an owner takes back stays taken back, whatever an app does at the same moment. */

const connections = await Promise.all(
  Array.from({ length: lanes }, async () => {
    const { owner, app } = await aParty();
    return { owner, client: await requireClient(app.clientId) };
  }),
);

explore({
  title: "ends every token that is issued while the owner disconnects the app",
  passing: ["change committed, not published"],
  prepare: async (lane) => {
    const { owner, client } = connections[lane]!;
    const issued = await change(owner, async (tx) => {
      const { id: grantId, ownerId } = await getOrCreateGrant(tx, owner.ownerId, client.clientId);
      await addScopes(tx, { id: grantId, ownerId }, ["approvals:read"]);
      const beganAt = new Date(Date.now() + 60_000);
      const source = { client, grantId, ownerId, familyId: newId("fam"), beganAt };
      return issueTokens(tx, { ...source, scopes: ["approvals:read"], resource: "api" });
    });
    return { owner, client, refreshToken: issued.refreshToken! };
  },
  actors({ owner, client, refreshToken }) {
    const renew = () => renewed(client, refreshToken);
    return { again: renew, first: renew, owner: () => revokeGrant(owner, client.clientId) };
  },
  async check({ client }, { again, first, owner }) {
    if (owner.status === "rejected") throw owner.reason;
    const issued = [again, first].flatMap((it) => {
      if (it.status === "fulfilled") return [it.value];
      expect(it.reason).toBeInstanceOf(TokenError);
      return [];
    });
    expect(new Set(issued.map(({ refreshToken }) => refreshToken)).size).toBeLessThanOrEqual(1);
    for (const { token, refreshToken } of issued) {
      await expect(authenticate(bearer(token))).rejects.toMatchObject({ status: 401 });
      await expect(renewed(client, refreshToken!)).rejects.toBeInstanceOf(TokenError);
    }
  },
});
const renewed = (client: Client, refreshToken: string) =>
  refresh(client, { refreshToken, scope: undefined, resource: undefined, address: "127.0.0.1" });

const withoutTriggers = await connectWithoutTriggers();
const ship = { kind: "option", optionId: "ship" } as const;
const wait = { kind: "option", optionId: "wait" } as const;
const content = { contentHash: contentHash(aQuestion) };
const asked = await Promise.all(
  Array.from({ length: lanes }, () => anAppWith("approvals:write", "approvals:read", "approvals:resolve")),
);

explore({
  title: "stops every question, answer and use once a freeze has begun",
  passing: ["batch answered, not delivered", "change committed, not published"],
  begin: () => configure({ MAX_PENDING: "0" }),
  // The owner freezes all apps, the app uses the answer with a receipt, or neither.
  variants: 3,
  prepare: async (lane, variant) => {
    const party = asked[lane]!;
    const ids = await Promise.all([submitApproval(party.app, aQuestion), submitApproval(party.app, aQuestion)]);
    const [id, usedId] = ids.map((submitted) => submitted.id) as [string, string];
    await tryResolve(party.owner, usedId, ship, content);
    const asker = { ownerId: party.owner.ownerId, appId: party.clientId };
    const record = { id: usedId, ...content, key: "first" };
    return {
      ...party,
      id,
      usedId,
      appId: variant === 0 ? everyApp : party.clientId,
      use: async () =>
        void (await (variant === 1 ? recordUseWithReceipt(asker, record) : recordUse(party.app, record))),
    };
  },
  actors: ({ owner, app, appId, id, use }) => ({
    answer: () => answerApproval(owner, id, ship),
    app: () => tryResolve(app, id, wait),
    ask: () => submitApproval(app, aQuestion),
    freeze: () => freeze(owner, { appId, by: "owner" }),
    use,
  }),
  async check({ owner, app, appId, id, usedId }, outcomes) {
    if (outcomes.freeze.status === "rejected") throw outcomes.freeze.reason;
    for (const { status, ...it } of Object.values(outcomes))
      if (status === "rejected") expect([403, 409]).toContain((it as PromiseRejectedResult).reason.status);
    await stopLateQuestions();
    const { rows } = await pool().query(
      "SELECT id, status, frozen_at IS NOT NULL AS frozen, resolution FROM approval WHERE owner_id = $1 AND (status = 'pending' OR id = $2)",
      [owner.ownerId, id],
    );
    for (const row of rows) if (row.status === "pending") expect(row.frozen, row.id).toBe(true);
    const told = [outcomes.answer, outcomes.app].filter(
      (it) => it.status === "fulfilled" && "won" in it.value && it.value.won,
    );
    expect(told).toHaveLength(rows.find((row) => row.id === id).status === "resolved" ? 1 : 0);
    const uses = await pool().query("SELECT FROM approval_use WHERE approval_id = $1", [usedId]);
    expect(uses.rowCount).toBe(outcomes.use.status === "fulfilled" ? 1 : 0);
    await expect(submitApproval(app, aQuestion)).rejects.toMatchObject({ status: 403 });
    await expect(recordUse(app, { id: usedId, ...content, key: "second" })).rejects.toMatchObject({ status: 403 });
    await unfreeze(owner, appId);
    // Otherwise, every freeze stops more questions.
    await withoutTriggers.query("DELETE FROM approval WHERE owner_id = $1", [owner.ownerId]);
  },
});
