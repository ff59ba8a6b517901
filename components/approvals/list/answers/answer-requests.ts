import type { DisplayResolution, InboxApproval } from "@/components/approvals/inbox-approval";
import { heldAs, wrongNumber } from "@/components/approvals/inbox-approval";
import type { Reply, Request } from "@/components/triage/triage-state-machine";
import type { useMachine } from "@/components/triage/use-triage-state-machine";
import type { AnswerResult } from "@/lib/approvals/answer";
import { perform, withIds, withSeen } from "../send-inbox-actions";

type AnswerRequest = Request<InboxApproval, DisplayResolution>;
type Dispatch = ReturnType<typeof useMachine<InboxApproval, DisplayResolution>>["dispatch"];
type Transport = (request: AnswerRequest, reply: Dispatch, failed: (message: string) => void) => void;

const questionsOf = ({ items }: AnswerRequest) => items.map(({ item }) => item);

/**
 * The functions that send each kind of request and turn its reply into an event for the state
 * machine.
 */
const transport: Record<AnswerRequest["kind"], Transport> = {
  undo: (request, reply, failed) =>
    perform(
      "approval.undo",
      withIds(questionsOf(request)),
      ({ sent }) => reply({ type: "undone", request: request.number, late: sent }),
      failed,
    ),
  commit: (request, reply, failed) =>
    perform(
      "approval.send-now",
      withIds(questionsOf(request)),
      () => reply({ type: "committed", request: request.number }),
      failed,
    ),
  send(request, reply, failed) {
    const [first, ...others] = request.items;
    const replied = (replies: [string, Reply<DisplayResolution>][]) =>
      reply({ type: "replied", request: request.number, replies: new Map(replies) });
    if (!first) return;
    if (others.length > 0)
      perform(
        "approval.answer-together",
        withSeen(questionsOf(request), fieldsOf(first.outcome)),
        (outcomes) => replied(outcomes.map((outcome) => [outcome.id, replyOf(outcome)])),
        failed,
      );
    else perform("approval.answer", answerForm(first), (outcome) => replied([[first.id, replyOf(outcome)]]), failed);
  },
};

/** Sends a request from the state machine, and dispatches the server's reply. */
export const sendRequest = (request: AnswerRequest, reply: Dispatch): void =>
  transport[request.kind](request, reply, (message) => reply({ type: "failed", request: request.number, message }));

/** Converts the server's result into a reply for the state machine. */
export function replyOf(outcome: AnswerResult | { message: string }): Reply<DisplayResolution> {
  if ("message" in outcome) return { type: "refused", message: outcome.message };
  if ("mismatched" in outcome) return { type: "refused", message: wrongNumber };
  const { held, won, resolution } = outcome;
  if (held) return { type: "held", outcome: heldAs(held.answer, held.commitAt), leftMs: held.leftMs };
  // The owner now requires confirmation, and this page doesn't know that yet.
  if (!resolution) return { type: "refused", message: "Choose the option again to confirm" };
  return { type: won ? "done" : "beaten", outcome: resolution };
}

/** Returns an answer's form fields. */
export const fieldsOf = ({
  optionId,
  otherText,
  note = "",
  picked,
  values,
  passkeySignature,
}: DisplayResolution): Record<string, string> => ({
  // The option counts as confirmed, because a page that requires confirmation made the owner press
  // twice.
  ...(optionId === undefined ? { otherText: otherText ?? "" } : { optionId, confirmed: optionId }),
  note,
  ...(picked !== undefined && { picked }),
  ...(values !== undefined && { values: JSON.stringify(values) }),
  ...(passkeySignature !== undefined && { signature: passkeySignature }),
});

/** Returns the form for one answer, with the content hash of the displayed question. */
const answerForm = ({ id, item, outcome }: AnswerRequest["items"][number]) =>
  new URLSearchParams({ id, seen: item.contentHash, ...fieldsOf(outcome) });
