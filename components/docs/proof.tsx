import { Code, Li, P } from "./section";

type ProofProps = { baseUrl: string; typescript: string; python: string };

/** Until when an answer counts, whose it has to be, and how whoever acts on it knows that it is real. */
export const Proof = ({ baseUrl, typescript, python }: ProofProps) => (
  <>
    <ul className="grid max-w-[68ch] list-disc gap-3 ps-5">
      <Li>
        <strong>A deadline:</strong> `expiresAt`, 10 seconds to 366 days ahead by the service’s clock. The owner sees a
        countdown, and is reminded before it ends. Afterwards nobody can answer: resolving answers 409, and
        `approval.deadline_passed` tells of it. The approval stays `pending`, with `deadlinePassed`; ask again if it
        still matters.
      </Li>
      <Li>
        <strong>A default:</strong> `defaultOptionId` names the option that is then recorded, with the note “Deadline
        passed” and `resolvedBy: &quot;api&quot;`, since it is the app’s answer and not the owner’s. The owner sees
        beforehand what happens if they do not answer. The token needs `approvals:resolve` too.
      </Li>
      <Li>
        <strong>Only the owner:</strong> with `ownerOnly` the resolve endpoint answers 403, whatever the token carries.
      </Li>
      <Li>
        <strong>How risky:</strong> `risk` is `low`, `normal` or `high`, and an option’s `style` is `default` or
        `danger`. The owner sees “High risk” in the list and above the question, gives that answer by holding it or in
        two steps, and never to several questions at once. A danger carries the word and a warning sign; where it would
        be the first option, it is shown after the others. Your order and ids stay as they are. Neither can be changed
        afterwards.
      </Li>
      <Li>
        <strong>What was asked:</strong> `contentHash` is `sha256:` and the SHA-256 of the canonical JSON (RFC 8785) of
        `question`, `options`, `backgroundContext`, `recommendation`, `expiresAt`, `defaultOptionId`, `ownerOnly` (where
        true), `risk` and `additions` (where there are any), as they are read back. An owner’s answer carries the hash
        of what they saw, and counts for nothing else.
      </Li>
    </ul>
    <h3 className="text-base">Receipts</h3>
    <P>
      A program that acts on an answer need not trust the program that brings it.{" "}
      <code className="mono">GET /api/approvals/{"{id}"}/receipt</code> gives a compact JWS (EdDSA) about the approval,
      its content hash and its resolution. It is checked offline, with the keys at{" "}
      <code className="mono">{baseUrl}/.well-known/jwks.json</code>: keep them, and fetch them again for a `kid` that
      you do not know. Former keys stay published. Compute the content hash from what is about to be done, require
      `resolvedBy` to be `owner`, and act once on each approval: a receipt is just as valid the second time.
    </P>
    <ul className="grid max-w-[68ch] list-disc gap-3 ps-5">
      <Li>
        <strong>Whose yes it is:</strong> `owner` names who answered. Compare it with the owner you expect: the token
        reply names them as `owner`, introspection and webhooks as `sub`. Any owner can let your app in and answer it.
      </Li>
      <li>
        <strong>Which approval:</strong> remember the id that submitting gave you. Never take it from the agent that
        brings the receipt: it could bring any other.
      </li>
      <Li>
        <strong>Older receipts</strong> name no owner and are refused. Fetch them again: a receipt is signed when it is
        read. `verifyReceipt` takes them with `acceptWithoutOwner: true`, and then they prove nobody’s answer.
      </Li>
      <Li>
        <strong>Simulated answers</strong> carry `simulated: true` and are refused.
      </Li>
    </ul>
    <p>TypeScript, on Node.js:</p>
    <Code>{typescript.trim()}</Code>
    <p>
      Python, with the package <code className="mono">cryptography</code>:
    </p>
    <Code>{python.trim()}</Code>
  </>
);
