import { expect } from "vitest";
import { authenticate } from "@/lib/access/authorization";
import { submitApproval, tryResolve } from "@/lib/approvals/approvals";
import { pool } from "@/lib/database/db";
import { freeze, unfreeze } from "@/lib/freeze/freeze";
import { stopLateQuestions } from "@/lib/freeze/stop-late-questions";
import { revokeGrant } from "@/lib/grants/grants";
import { answerApproval } from "@/lib/testing/answer-approval";
import { configure } from "@/lib/testing/change-settings";
import { anAppWith } from "@/lib/testing/factories";
import { aGrantedToken, aParty, askToken, bearer, type TokenReply } from "@/lib/testing/oauth-flow";
import { aQuestion } from "@/lib/testing/sample-question";
import { explore, lanes } from "./explore";

/* What an owner takes back stays taken back, whatever an app does at the same moment. */

const connections = await Promise.all(Array.from({ length: lanes }, () => aParty()));

explore({
  title: "ends every token that is issued while the owner disconnects the app",
  prepare: async (lane) => {
    const party = connections[lane]!;
    const { reply } = await aGrantedToken(party, { scope: "approvals:read" });
    return { ...party, refreshToken: reply.refresh_token };
  },
  actors({ owner, app, refreshToken }) {
    const renew = async () => {
      const form = { grant_type: "refresh_token", refresh_token: refreshToken, client_id: app.clientId };
      const reply = await askToken(form);
      return { status: reply.status, ...((await reply.json()) as TokenReply) };
    };
    return { again: renew, first: renew, owner: () => revokeGrant(owner, app.clientId) };
  },
  async check({ app }, { again, first, owner }) {
    if (owner.status === "rejected") throw owner.reason;
    const issued = [again, first].flatMap((it) => {
      if (it.status === "rejected") throw it.reason;
      return it.value.status === 200 ? [it.value] : [];
    });
    expect(new Set(issued.map(({ refresh_token }) => refresh_token)).size).toBeLessThanOrEqual(1);
    for (const { access_token, refresh_token } of issued) {
      await expect(authenticate(bearer(access_token))).rejects.toMatchObject({ status: 401 });
      const later = await askToken({ grant_type: "refresh_token", refresh_token, client_id: app.clientId });
      expect(later.status).toBe(400);
    }
  },
});

const ship = { kind: "option", optionId: "ship" } as const;
const wait = { kind: "option", optionId: "wait" } as const;
const asked = await Promise.all(
  Array.from({ length: lanes }, () => anAppWith("approvals:write", "approvals:read", "approvals:resolve")),
);

explore({
  title: "stops every question and answer once a freeze has begun",
  begin: () => configure({ MAX_PENDING: "0" }),
  prepare: async (lane) => {
    const party = asked[lane]!;
    return { ...party, id: (await submitApproval(party.app, aQuestion)).id };
  },
  actors: ({ owner, app, clientId, id }) => ({
    answer: () => answerApproval(owner, id, ship),
    app: () => tryResolve(app, id, wait),
    ask: () => submitApproval(app, aQuestion),
    freeze: () => freeze(owner, { appId: clientId, by: "owner" }),
  }),
  async check({ owner, app, clientId, id }, outcomes) {
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
    await expect(submitApproval(app, aQuestion)).rejects.toMatchObject({ status: 403 });
    await unfreeze(owner, clientId);
  },
});
