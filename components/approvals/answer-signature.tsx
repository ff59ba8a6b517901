"use client";
import { Mark } from "@/components/ui/icons";
import { useFormats } from "@/components/ui/time/date-formats-provider";
import { timeOfDay } from "@/components/ui/time/time-text";
import { useHydrated } from "@/components/ui/use-hydrated";
import type { Answer, Resolution } from "@/lib/approvals/schema";
import { type InboxApproval, shortHash } from "./inbox-approval";

/**
 * Whether the owner must sign an answer on the signing sheet. Some questions require the signature of
 * a passkey for every answer. High-risk questions require the sheet for every option, and for a
 * written answer if the question also asks for a number.
 */
export const isSigned = (
  { risk, match, sign }: Pick<InboxApproval, "risk" | "match" | "sign">,
  { optionId }: Pick<Answer, "optionId">,
): boolean => needsPasskey({ sign }) || (risk === "high" && (optionId !== undefined || match !== undefined));

/** Whether the owner's passkey must sign an answer. */
export const needsPasskey = ({ sign }: Pick<InboxApproval, "sign">): boolean => sign === "required" || sign === "lens";

type StampProps = {
  approval: Pick<InboxApproval, "risk" | "match" | "sign" | "signed" | "contentHash">;
  resolution: Resolution;
  /** Whether the stamp shows the time and the hash. A list's rows have room only for the mark. */
  timed?: boolean;
};

/** The owner's signature on an answer: the mark, the time, and the hash of the signed content. */
export function Stamp({ approval, resolution, timed = false }: StampProps) {
  const formats = useFormats();
  const alive = useHydrated();
  const hasPasskey = approval.signed !== undefined || needsPasskey(approval);
  if (resolution.resolvedBy !== "owner" || !(hasPasskey || isSigned(approval, resolution))) return null;
  return (
    <span className="inline-flex shrink-0 items-center gap-1.5 text-xs whitespace-pre text-muted">
      <Mark className="size-4 forced-color-adjust-none" />
      <span className={timed ? "" : "sr-only"}>
        {hasPasskey ? "Signed with your passkey" : "Signed"}{" "}
        {timed ? (
          // Remounts after hydration, because the server may use another time zone.
          <time
            key={alive ? "browser" : "server"}
            dateTime={new Date(resolution.resolvedAt).toISOString()}
            suppressHydrationWarning
            className="tabular-nums"
          >
            {timeOfDay(resolution.resolvedAt, formats)}
          </time>
        ) : null}
        {" · "}
        <span className="mono">{shortHash(approval.contentHash)}</span>
      </span>
    </span>
  );
}
