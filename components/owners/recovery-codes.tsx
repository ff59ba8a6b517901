"use client";
import { OwnerActionForm } from "@/components/actions/owner-action-form";
import { Notice } from "@/components/ui/notice";
import { Secret } from "@/components/ui/secret";
import { SubmitButton } from "@/components/ui/submit-button";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { RecoveryState } from "@/lib/owners/schema";

/** How many codes are left, and new ones, which are shown in the form's place this once. */
export function RecoveryCodes({ state: { left, madeAt } }: { state: RecoveryState }) {
  return (
    <OwnerActionForm
      act="recovery.make-codes"
      className="grid gap-3"
      success={({ codes }) => <MadeCodes codes={codes} />}
    >
      <p className="max-w-[68ch] text-muted">
        Each lets you in once without your password. Keep them away from this device, on paper or in a safe place.
      </p>
      {madeAt === undefined ? null : (
        <p>
          <span className="font-medium">{left} of 10 left</span>, made <TimeAgo at={madeAt} />. New ones replace them.
        </p>
      )}
      <div>
        <SubmitButton>{madeAt === undefined ? "Make recovery codes" : "Replace the codes"}</SubmitButton>
      </div>
    </OwnerActionForm>
  );
}

const MadeCodes = ({ codes }: { codes: readonly string[] }) => (
  <div className="grid gap-3">
    <Notice tone="ok" title="Your recovery codes">
      Copy or print them now. They are not kept and cannot be shown again. Earlier ones no longer work.
    </Notice>
    <Secret label="Codes" text={codes.join("\n")} />
  </div>
);
