import { getApproval, resolveApproval, submitApproval } from "@/lib/approvals/approvals";
import { readApproval } from "@/lib/approvals/inbox-queries";
import { snoozeApprovals } from "@/lib/approvals/triage";
import { createPartition } from "@/lib/events/partition-bounds";
import { pushNotification } from "@/lib/notifications/notifications";
import { changeSettings } from "@/lib/owners/settings";
import { issueReceipt } from "@/lib/receipts/receipts";
import { recordUse } from "@/lib/receipts/use-answer";
import { scopeNames } from "@/lib/scopes";
import { addEndpoint } from "@/lib/webhooks/endpoints";
import { answerApproval } from "../answer-approval";
import { anApp, anAppWith, anOwner } from "../factories";
import type { History } from "../history/history";
import { aGrantedToken } from "../oauth-flow";
import { aQuestion } from "../sample-question";

/** What a later version must find in a database that this version filled. */
export type Contents = {
  ownerId: string;
  clientId: string;
  token: string;
  /** What the app and the owner did, for the checker of histories. */
  history: History;
  /** The app's approvals as the API returned them, and the signed receipts of some. */
  approvals: { id: string; body: string }[];
  receipts: { id: string; receipt: string }[];
  /** An approval whose answer is held, and its answer. */
  held: { id: string; optionId: string };
  /** An approval that the owner has not answered. */
  pending: string;
  notifications: string[];
  /** An OAuth app and its refresh token. */
  oauth: { clientId: string; refreshToken: string };
  /** A webhook endpoint without any delivery, the secret, and the approvals that its events are about. */
  webhook: { id: string; secret: string; about: string[] };
};

/** The owner's name in the history. All operations succeeded before the first one of any later version. */
export const formerOwner = "the owner of the dump";
/** The titles of the notifications, oldest first. */
export const formerTitles = ["Paid", "Sent", "Filed"];
const moment = { at: 0, free: 0 };
const done = { owner: formerOwner, outcome: "ok", status: 200, began: moment, ended: moment } as const;

/** Returns what a later version must have kept, for the checker of histories. */
export const formerHistory = ({ history, notifications, webhook }: Contents): History => [
  ...history,
  ...notifications.map((id, nth) => ({ ...done, op: "push", title: formerTitles[nth] ?? id, id }) as const),
  { op: "endpoint", owner: formerOwner, first: webhook.about[0] ?? "" },
];

/** The address of the webhook endpoint. Nothing listens there. */
export const unusedOrigin = "http://127.0.0.1:9";

/**
 * Fills a new database with what an upgrade must keep: answers with receipts and uses, held answers,
 * undelivered webhooks, an OAuth app, notifications, and an event log in several partitions.
 */
export async function fillDatabase(): Promise<Contents> {
  const { owner, app, clientId, token } = await anAppWith(...(scopeNames as [(typeof scopeNames)[number]]));
  const actor = { ...app, needs: null };
  const history: History = [];
  const submit = async (question: string) => {
    const { id } = await submitApproval(actor, { ...aQuestion, question });
    history.push({ ...done, op: "ask", question, id, terms: {} });
    return id;
  };
  const answer = async (id: string, held = false) => {
    const note = `before ${id}`;
    await (held ? answerApproval : resolveApproval)(owner, id, { kind: "option", optionId: "ship", note });
    history.push({ ...done, op: "answer", id, note, seen: [], held });
  };
  const answered: string[] = [];
  for (let nth = 1; nth <= 12; nth++) answered.push(await submit(`Pay invoice ${nth}?`));
  for (const id of answered) await answer(id);
  // A later partition of the event log begins.
  await createPartition(10);
  const receipts = [];
  for (const id of answered.slice(0, 4)) receipts.push({ id, receipt: await issueReceipt(actor, id) });
  const [used = ""] = answered;
  const { contentHash } = await readApproval(owner, used);
  const { receipt } = await recordUse(actor, { id: used, contentHash, key: "first" });
  history.push({ ...done, op: "use", id: used, key: "first", receipt });

  const notifications: string[] = [];
  for (const title of formerTitles) notifications.push((await pushNotification(actor, { title })).id);

  const endpoint = await addEndpoint(owner, clientId, { url: `${unusedOrigin}/events` });
  const about = [await submit("Order paper?"), await submit("Order ink?")];
  for (const id of about) await answer(id);

  const snoozed = await submit("Renew the domain?");
  await snoozeApprovals(owner, [snoozed], { choice: "tomorrow", timeZone: "UTC" });
  const pending = await submit("Book the room?");
  await changeSettings(owner, { undoSeconds: 30 });
  const held = { id: await submit("Book the train?"), optionId: "ship" };
  await answer(held.id, true);

  const party = { owner: await anOwner(), app: await anApp(undefined, { public: true }) };
  const { reply } = await aGrantedToken(party, { scope: "approvals:read approvals:write" });
  const approvals = [];
  for (const id of [...answered, ...about, snoozed, pending])
    approvals.push({ id, body: (await getApproval(actor, id)).text });
  return {
    ...{ ownerId: owner.ownerId, clientId, token, history, approvals, receipts, held, pending, notifications },
    oauth: { clientId: party.app.clientId, refreshToken: reply.refresh_token },
    webhook: { id: endpoint.id, secret: endpoint.secret, about },
  };
}
