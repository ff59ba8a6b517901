"use client";
import { ActionForm } from "@/components/actions/action-form";
import { CopyableValue } from "@/components/ui/copyable-value";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { RecoveryState } from "@/lib/owners/schema";

/**
 * The number of unused codes, and a form that generates new codes. The new codes are shown once.
 */
export function RecoveryCodes({ state: { left, madeAt } }: { state: RecoveryState }) {
  return (
    <ActionForm act="recovery.make-codes" className="grid gap-3" success={({ codes }) => <MadeCodes codes={codes} />}>
      <p className="max-w-[68ch] text-muted">
        Use a recovery code if you lose your password. Print the codes or store them somewhere safe.
      </p>
      {madeAt === undefined ? null : (
        <p>
          <span className="font-medium">{left} of 10 codes left</span>, generated <TimeAgo at={madeAt} />. New codes
          replace the old codes.
        </p>
      )}
      <div>
        <SubmitButton>{madeAt === undefined ? "Generate recovery codes" : "Replace recovery codes"}</SubmitButton>
      </div>
    </ActionForm>
  );
}

const MadeCodes = ({ codes }: { codes: readonly string[] }) => (
  <div className="grid gap-3">
    <Notice tone="ok" title="Your recovery codes">
      Copy or print these codes now. They can’t be shown again. Your earlier codes no longer work.
    </Notice>
    <CopyableValue label="Codes" text={codes.join("\n")} />
  </div>
);
