import { Code } from "./section";

type ProofProps = { baseUrl: string; typescript: string; python: string };

/** Until when an answer counts, whose it has to be, and how whoever acts on it knows that it is real. */
export const Proof = ({ baseUrl, typescript, python }: ProofProps) => (
  <>
    <ul className="grid max-w-[68ch] list-disc gap-3 pl-5">
      <li>
        <strong>A deadline:</strong> <code className="mono">expiresAt</code>, 10 seconds to 366 days ahead by the
        service’s clock. The owner sees a countdown, and is reminded before it ends. Afterwards nobody can answer:
        resolving answers 409, and <code className="mono">approval.deadline_passed</code> tells of it. The approval
        stays <code className="mono">pending</code>, with <code className="mono">deadlinePassed</code>; ask again if it
        still matters.
      </li>
      <li>
        <strong>A default:</strong> <code className="mono">defaultOptionId</code> names the option that is then
        recorded, with the note “Deadline passed” and <code className="mono">resolvedBy: &quot;api&quot;</code>, since
        it is the app’s answer and not the owner’s. The owner sees beforehand what happens if they do not answer. The
        token needs <code className="mono">approvals:resolve</code> too.
      </li>
      <li>
        <strong>Only the owner:</strong> with <code className="mono">ownerOnly</code> the resolve endpoint answers 403,
        whatever the token carries.
      </li>
      <li>
        <strong>What was asked:</strong> <code className="mono">contentHash</code> is{" "}
        <code className="mono">sha256:</code> and the SHA-256 of the canonical JSON (RFC 8785) of{" "}
        <code className="mono">question</code>, <code className="mono">options</code>,{" "}
        <code className="mono">backgroundContext</code>, <code className="mono">recommendation</code>,{" "}
        <code className="mono">expiresAt</code>, <code className="mono">defaultOptionId</code>,{" "}
        <code className="mono">ownerOnly</code> (where true) and <code className="mono">additions</code> (where there
        are any), as they are read back. An owner’s answer carries the hash of what they saw, and counts for nothing
        else.
      </li>
    </ul>
    <h3 className="text-base">Receipts</h3>
    <p className="max-w-[68ch]">
      A program that acts on an answer need not trust the program that brings it.{" "}
      <code className="mono">GET /api/approvals/{"{id}"}/receipt</code> gives a compact JWS (EdDSA) about the approval,
      its content hash and its resolution. It is checked offline, with the keys at{" "}
      <code className="mono">{baseUrl}/.well-known/jwks.json</code>: keep them, and fetch them again for a{" "}
      <code className="mono">kid</code> that you do not know. Former keys stay published. Compute the content hash from
      what is about to be done, require <code className="mono">resolvedBy</code> to be{" "}
      <code className="mono">owner</code>, and act once on each approval: a receipt is just as valid the second time.
    </p>
    <ul className="grid max-w-[68ch] list-disc gap-3 pl-5">
      <li>
        <strong>Whose yes it is:</strong> <code className="mono">owner</code> names who answered. Compare it with the
        owner you expect: the token reply names them as <code className="mono">owner</code>, introspection and webhooks
        as <code className="mono">sub</code>. Any owner can let your app in and answer it.
      </li>
      <li>
        <strong>Which approval:</strong> remember the id that submitting gave you. Never take it from the agent that
        brings the receipt: it could bring any other.
      </li>
      <li>
        <strong>Older receipts</strong> name no owner and are refused. Fetch them again: a receipt is signed when it is
        read. <code className="mono">verifyReceipt</code> takes them with{" "}
        <code className="mono">acceptWithoutOwner: true</code>, and then they prove nobody’s answer.
      </li>
      <li>
        <strong>Simulated answers</strong> carry <code className="mono">simulated: true</code> and are refused.
      </li>
    </ul>
    <p>TypeScript, on Node.js:</p>
    <Code>{typescript.trim()}</Code>
    <p>
      Python, with the package <code className="mono">cryptography</code>:
    </p>
    <Code>{python.trim()}</Code>
  </>
);
