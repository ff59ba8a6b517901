"use client";
import { DescriptionList } from "@/components/ui/description-list";
import { Notice } from "@/components/ui/notice";
import { useFormats } from "@/components/ui/time/date-formats-provider";
import type { VerifiedReceipt } from "@/lib/client/receipts";
import { fullTime } from "./full-time";
import { SignatureCheck } from "./signature-check";

/** What a valid receipt proves, and what it doesn't. */
export function ReceiptReport({ receipt }: { receipt: VerifiedReceipt }) {
  const { iss, aud, owner, sub, contentHash, resolution, simulated, once } = receipt;
  const isOwners = resolution.resolvedBy === "owner";
  const formats = useFormats();
  return (
    <>
      <Notice tone="ok" title="The receipt is valid">
        The service at <bdi>{iss}</bdi> signed exactly this answer.
      </Notice>
      {simulated ? (
        <Notice tone="warn" title="Simulated">
          A test program gave this answer, and no person did.
        </Notice>
      ) : null}
      {isOwners ? null : (
        <Notice tone="warn" title="Not the owner’s answer">
          The app answered its own question, or its default was recorded at the deadline.
        </Notice>
      )}
      <section aria-labelledby="proved" className="grid gap-3">
        <h2 id="proved" className="text-base">
          What the service says
        </h2>
        <DescriptionList
          of={{
            Answer: <Answer of={resolution} />,
            Values: resolution.values ? <Values of={resolution.values} /> : undefined,
            Note: resolution.note ? <bdi className="whitespace-pre-wrap">{resolution.note}</bdi> : undefined,
            "Answered by": isOwners ? "the owner" : "the app",
            Time: fullTime(resolution.resolvedAt, formats),
            App: <Id of={aud} />,
            Owner: owner === undefined ? "not named in this older receipt" : <Id of={owner} />,
            Approval: <Id of={sub} />,
            "Content hash": <Id of={contentHash} />,
          }}
        />
      </section>
      <section aria-labelledby="unproved" className="grid gap-2">
        <h2 id="unproved" className="text-base">
          What the receipt doesn’t show
        </h2>
        <ul className="grid list-disc gap-1 ps-5 text-muted">
          <li>The question. The receipt has only its content hash. The app can compute the hash from the question.</li>
          <li>
            Whether the answer was used already{once === true ? ", or withdrawn by the owner" : ""}. Only the service
            knows.
          </li>
        </ul>
      </section>
      <section aria-labelledby="passkey" className="grid gap-3">
        <h2 id="passkey" className="text-base">
          The owner’s passkey
        </h2>
        {resolution.signature ? (
          <SignatureCheck receipt={receipt} />
        ) : (
          <p className="text-muted">
            No passkey signed this answer. The receipt proves what the service says, and depends on trust in the
            service.
          </p>
        )}
      </section>
    </>
  );
}

const Id = ({ of }: { of: string }) => (
  <span translate="no" className="mono">
    {of}
  </span>
);

function Answer({ of: { optionId, otherText } }: { of: VerifiedReceipt["resolution"] }) {
  return otherText === undefined ? (
    <>
      option <Id of={optionId ?? ""} />
    </>
  ) : (
    <bdi className="whitespace-pre-wrap">{otherText}</bdi>
  );
}

/** Returns a value as text. The receipt does not name the kind of its field. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value !== "object" || value === null) return String(value);
  const { amount, currency, ...others } = value as Record<string, unknown>;
  if (amount !== undefined && Object.keys(others).length === 0) return `${amount} ${currency}`;
  return Object.entries(value)
    .map(([row, verdict]) => `${row}: ${verdict}`)
    .join(", ");
}

const Values = ({ of }: { of: Record<string, unknown> }) => (
  <ul>
    {Object.entries(of).map(([name, value]) => (
      <li key={name}>
        <Id of={name} />: <bdi>{valueText(value)}</bdi>
      </li>
    ))}
  </ul>
);
