import type { Answer, NewApproval } from "@/lib/approvals/schema";
import type { NewNotification } from "@/lib/notifications/schema";

/** Option labels by ID. */
const options = (labels: Record<string, string>) => Object.entries(labels).map(([id, label]) => ({ id, label }));
/** Facts by label. */
const facts = (values: Record<string, string>) => Object.entries(values).map(([label, value]) => ({ label, value }));
const yesNo = options({ yes: "Yes", no: "No" });

const longContext = Array.from(
  { length: 14 },
  (_, week) =>
    `**Week ${week + 1}.** ${420 + week * 17} visits, ${12 + (week % 5)} sign-ups, ${week % 4} refunds. ` +
    "The campaign stayed within its daily budget, and the landing page did not change during the week.",
).join("\n\n");

/** The apps of the seed. None asks so much that its questions are grouped. */
export type Asker = "release" | "mail" | "plan" | "ledger";

const asks = (app: Asker, ask: NewApproval) => ({ app, ask });
const tells = (app: Asker, note: NewNotification) => ({ app, note });

/** Pending questions, oldest first. */
export const pending = [
  asks("release", {
    question: "Deploy version 4.2.0 to production?",
    facts: facts({
      Version: "4.2.0",
      Environment: "Production",
      Tests: "1,204 passed",
      Rollback: "release undo 4.2.0",
    }),
    options: [
      { id: "deploy", label: "Deploy now" },
      { id: "tonight", label: "Deploy tonight", note: "At 22:00, when traffic is lowest." },
      { id: "hold", label: "Don’t deploy" },
    ],
    backgroundContext:
      "## Changes in this version\n\n- Faster search\n- A fix for double receipts\n\n| check | result |\n|---|---|\n| tests | 1,204 passed |\n| migration | 3 s, no locks |",
    recommendation: "tonight",
  }),
  asks("mail", {
    question: "Reply to Noor that Thursday at 10:00 works?",
    options: options({ send: "Send the reply", later: "Suggest another time" }),
    backgroundContext:
      "> Could we meet on Thursday morning? I am in town until noon.\n\nYour calendar is free from 9:00 to 11:30.",
    recommendation: "Send the reply",
    expiresAt: Date.now() + 3 * 3_600_000,
  }),
  asks("mail", {
    question: "Unsubscribe from “Weekly Gadget Deals”?",
    options: yesNo,
    backgroundContext: "You opened none of this newsletter’s last 40 issues.",
  }),
  asks("release", {
    question: "Delete 312 GB of build artifacts older than 90 days?",
    facts: facts({ Size: "312 GB", "Older than": "90 days", Folder: "build-2:/var/artifacts" }),
    options: [
      { id: "delete", label: "Delete the artifacts", note: "Cannot be undone.", style: "danger" },
      { id: "archive", label: "Move the artifacts to cold storage", note: "About 1.20 € a month." },
      { id: "keep", label: "Keep the artifacts" },
    ],
    recommendation: "archive",
    ownerOnly: true,
    risk: "high",
  }),
  asks("mail", {
    question: "How should I sign letters to the tax office from now on?",
    options: options({ full: "Olive Marten", initial: "O. Marten" }),
    recommendation: "Your full name, because the tax office’s last letter asked for the name on your passport.",
  }),
  asks("plan", {
    question: "Continue the autumn campaign for another month?",
    options: options({
      continue: "Continue without changes",
      half: "Continue with half the budget",
      stop: "Stop the campaign",
    }),
    backgroundContext: longContext,
    recommendation: "half",
  }),
  asks("mail", {
    question: "Accept the invitation from «Bücherfreunde Köln» for Saturday, 19:30?",
    options: [...yesNo, { id: "maybe", label: "Answer later" }],
    backgroundContext: "The event is at the library, *Große Straße 7*, and takes about two hours. 📚",
  }),
  asks("release", {
    question: "Rotate the signing key now?",
    options: yesNo,
    backgroundContext:
      "The signing key is 11 months old. The rotation takes these steps:\n\n1. make a new key\n2. publish it beside the old one\n3. wait a day\n4. remove the old one\n\n```sh\nrelease key rotate --overlap 24h\n```",
    recommendation: "yes",
  }),
  asks("ledger", {
    question:
      "May the heating technician come in while you are away next week, between Tuesday and Thursday? The landlord says that the caretaker will be present and the bedroom door will stay locked.",
    options: options({ allow: "Yes, with the caretaker", move: "Ask for a date when I am home", refuse: "No" }),
  }),
  asks("plan", {
    question: "Which name should the new plan have?",
    options: ["Sprout", "Orchard", "Meadow", "Harbor", "Lantern"].map((label) => ({ id: label.toLowerCase(), label })),
  }),
  asks("ledger", {
    question: "Pay the invoice from Stadtwerke?",
    facts: facts({ Amount: "86.40 €", Recipient: "Stadtwerke", Invoice: "2026-117", "Last month": "84.10 €" }),
    options: options({ pay: "Pay the invoice", query: "Ask about the invoice" }),
    backgroundContext: "The account number has not changed in three years.",
    recommendation: "pay",
  }),
  asks("release", {
    question: "Give Sam write access to the website repository?",
    options: options({ write: "Give write access", read: "Give read access only", none: "Give no access" }),
  }),
];

const answeredQuestions = [
  "Merge the dependency updates?",
  "Send the monthly summary to the team?",
  "Restart the import that failed overnight?",
  "Renew the domain for another year?",
  "Move the stand-up to 9:30?",
  "Publish the draft about opening hours?",
  "Close the 14 stale tickets?",
  "Forward the parcel to the neighbor?",
  "Archive last year’s letters?",
  "Raise the daily backup limit?",
];

/** Twenty answered questions: by choosing, with a note, and in the owner's own words. */
export const answered: { app: Asker; ask: NewApproval; answer: Answer }[] = [1, 2].flatMap((round) =>
  answeredQuestions.map((question, at) => ({
    app: at % 2 === 0 ? ("release" as const) : ("mail" as const),
    ask: { question: round === 1 ? question : `Again: ${question}`, options: yesNo },
    answer: answerOf(at),
  })),
);

function answerOf(at: number): Answer {
  if (at % 5 === 4) return { kind: "other", otherText: "Ask me again on Monday, after I have seen the figures." };
  const optionId = at % 3 === 0 ? "no" : "yes";
  return at % 4 === 0 ? { kind: "option", optionId, note: "As we said last week." } : { kind: "option", optionId };
}

export const notifications = [
  tells("release", { title: "Build 4.2.0 passed", body: "1,204 tests ran in 6 min 12 s.", type: "build" }),
  tells("mail", { title: "3 letters need an answer", body: "The oldest letter came two days ago.", type: "summary" }),
  tells("release", { title: "Backup finished", body: "The backup is 18.4 GB and passed the check.", type: "backup" }),
  tells("mail", { title: "Newsletter folder tidied", body: "", type: "tidy" }),
  tells("release", {
    title: "Disk at 81%",
    body: "The disk on build-2 is filling up by about 1% a day.",
    type: "warning",
  }),
  tells("mail", { title: "Flight to Lisbon is on time", body: "Gate B14, boarding at 07:35.", type: "travel" }),
  tells("release", {
    title: "Certificate renewed",
    body: "The certificate is valid until February.",
    type: "security",
  }),
  tells("mail", { title: "Noor sent 4 photos", body: "The photos are in Holidays/2026.", type: "mail" }),
  tells("release", {
    title: "Nightly import took longer than usual",
    body: "The import took 41 min instead of 12 min.",
    type: "import",
    data: { minutes: 41 },
  }),
  tells("mail", { title: "Calendar: dentist tomorrow", body: "9:15, Ringstraße 3.", type: "calendar" }),
];
