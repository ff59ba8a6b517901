import { expect } from "vitest";
import { answerApproval } from "@/lib/approvals/answer";
import { submitApproval, tryResolve } from "@/lib/approvals/approvals";
import { contentHash } from "@/lib/approvals/content-hash";
import { pool } from "@/lib/database/db";
import { everyApp, freeze, unfreeze } from "@/lib/freeze/freeze";
import { stopLateQuestions } from "@/lib/freeze/stop-late-questions";
import { recordUse, recordUseWithReceipt } from "@/lib/receipts/use-answer";
import { configure } from "@/lib/testing/change-settings";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { connectWithoutTriggers } from "./connection-without-triggers";
import { explore, lanes } from "./explore";

/* Nothing gets past a freeze. */

const parties = await Promise.all(
  Array.from({ length: lanes }, () => anAppWith("approvals:write", "approvals:read", "approvals:resolve")),
);
const withoutTriggers = await connectWithoutTriggers();
const ship = { kind: "option", optionId: "ship" } as const;
const wait = { kind: "option", optionId: "wait" } as const;
const seen = contentHash(aQuestion);
const content = { contentHash: seen };

/** Prepares a run in which the owner freezes the lane's app or, in the first variant, all apps. */
async function prepare(lane: number, variant: number) {
  const party = parties[lane]!;
  const { id } = await submitApproval(party.app, aQuestion);
  return { ...party, id, appId: variant === 0 ? everyApp : party.clientId };
}
type State = Awaited<ReturnType<typeof prepare>>;
const begin = () => configure({ MAX_PENDING: "0" });
const passing = ["batch answered, not delivered", "change committed, not published"];
const freezeApps = ({ owner, appId }: State) => freeze(owner, { appId, by: "owner" });

type Outcomes = Record<string, PromiseSettledResult<unknown>> & { freeze: PromiseSettledResult<void> };
/** Asserts that the freeze stopped all questions, and refused what the app's actors did later. */
async function checkFreeze(state: State, outcomes: Outcomes, steps: readonly string[], ofApp: readonly string[]) {
  const { owner, app } = state;
  if (outcomes.freeze.status === "rejected") throw outcomes.freeze.reason;
  for (const it of Object.values(outcomes))
    if (it.status === "rejected") expect([403, 409]).toContain(it.reason.status);
  // This step commits the freeze.
  const frozen = steps.indexOf("freeze: change made, not committed");
  for (const name of ofApp)
    if (steps.findLastIndex((step) => step.startsWith(`${name}: `)) > frozen)
      expect(outcomes[name]?.status, `${name}, after the freeze`).toBe("rejected");
  await stopLateQuestions();
  const text = "SELECT id FROM approval WHERE owner_id = $1 AND status = 'pending' AND frozen_at IS NULL";
  expect((await pool().query(text, [owner.ownerId])).rows).toEqual([]);
  await expect(submitApproval(app, aQuestion)).rejects.toMatchObject({ status: 403 });
}
async function endFreeze({ owner, appId }: State) {
  await unfreeze(owner, appId);
  // Otherwise, every freeze stops more questions.
  await withoutTriggers.query("DELETE FROM approval WHERE owner_id = $1", [owner.ownerId]);
}

explore({
  title: "stops every question and use once a freeze has begun",
  passing: [...passing, "ask: begin"],
  begin,
  // The owner freezes all apps, the app uses the answer with a receipt, or neither.
  variants: 3,
  prepare: async (lane, variant) => {
    const state = await prepare(lane, variant);
    const { owner, app, clientId: appId, id } = state;
    await tryResolve(owner, id, ship, content);
    const record = { id, ...content, key: "first" };
    const use = () =>
      variant === 1 ? recordUseWithReceipt({ ownerId: owner.ownerId, appId }, record) : recordUse(app, record);
    return { ...state, use };
  },
  actors: (state) => ({
    ask: () => submitApproval(state.app, aQuestion),
    freeze: () => freezeApps(state),
    use: state.use,
  }),
  async check(state, outcomes, steps) {
    await checkFreeze(state, outcomes, steps, ["ask", "use"]);
    const { app, id } = state;
    const uses = await pool().query("SELECT FROM approval_use WHERE approval_id = $1", [id]);
    expect(uses.rowCount).toBe(outcomes.use.status === "fulfilled" ? 1 : 0);
    await expect(recordUse(app, { id, ...content, key: "second" })).rejects.toMatchObject({ status: 403 });
    await endFreeze(state);
  },
});

explore({
  title: "stops every answer once a freeze has begun",
  passing: [...passing, "app: begin"],
  begin,
  variants: 2,
  prepare,
  actors: (state) => ({
    app: () => tryResolve(state.app, state.id, wait),
    freeze: () => freezeApps(state),
    owner: () => answerApproval(state.owner, state.id, ship, seen, { confirmed: true }),
  }),
  async check(state, outcomes, steps) {
    await checkFreeze(state, outcomes, steps, ["app"]);
    const { rows } = await pool().query("SELECT status FROM approval WHERE id = $1", [state.id]);
    const told = [outcomes.app, outcomes.owner].filter(
      (it) => it.status === "fulfilled" && "won" in it.value && it.value.won,
    );
    expect(told).toHaveLength(rows[0].status === "resolved" ? 1 : 0);
    const isOwnerLast = steps.at(-1)?.startsWith("owner: ");
    if (isOwnerLast && outcomes.owner.status === "fulfilled") expect(outcomes.owner.value.won).toBe(false);
    await endFreeze(state);
  },
});
