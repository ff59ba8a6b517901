import { describes, type EventDescription } from "./activity-schema";

const answer = describes("answers", "approval");
/** Events in which someone was rejected. */
const misused = describes("trouble", "app");

/** Sentences for events about approvals. */
export const approvalWords = {
  "approval.submitted": answer("app", "{app} asked you a question"),
  "approval.resolved": answer(
    ({ by, deadline }) => (by === "owner" ? "you" : deadline ? "service" : "app"),
    ({ by, deadline }) => {
      if (by === "owner") return "You answered a question from {app}";
      if (deadline) return "Time ran out, so Countersign used {app}’s default";
      return "{app} answered its own question";
    },
  ),
  "approval.answered_by_link": answer("you", ({ undone, device, address }) => {
    const where = [device, address].filter(Boolean).join(", ");
    return `${undone ? "You undid an answer to" : "You answered"} {app} through an email link${where && ` (${where})`}`;
  }),
  "approval.pressed": answer("you", ({ on }) => `You chose an answer to {app} in an alert on ${on}`),
  "approval.deadline_passed": answer("service", "A question from {app} expired without an answer"),
  "approval.unexpected": answer("you", ({ reaction = "mute", number }) => {
    if (number) return "You picked the wrong number for a question from {app}, so the question was closed";
    return reaction === "mute"
      ? "You reported an unexpected question from {app} and muted its questions"
      : "You reported an unexpected question from {app}";
  }),
  "approval.question_asked": answer("you", "You asked {app} a question before answering"),
  "approval.addition_made": answer("app", "{app} added details to its question"),
  "approval.outcome_reported": answer("app", ({ outcome }) => reported(outcome)),
  "approval.used": answer("app", ({ by }) =>
    by === "app" ? "{app} used your answer" : "A program with the receipt from {app} used your answer",
  ),
  "approval.use_refused": misused("app", ({ by }) =>
    by === "app"
      ? "{app} tried to use an answer that was already used"
      : "A program with the receipt from {app} tried to use an answer that was already used",
  ),
  "approval.withdrawn": answer("you", "You withdrew your answer to {app}"),
} satisfies Record<string, EventDescription>;

function reported(outcome: unknown): string {
  if (outcome === "started") return "{app} started to carry out your answer";
  if (outcome === "done") return "{app} carried out your answer";
  if (outcome === "failed") return "{app} failed to carry out your answer";
  return "{app} reported the outcome of your answer";
}
