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
    <ActionForm
      act="recovery.make-codes"
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3"
      success={({ codes }) => <MadeCodes codes={codes} />}
    >
      <p className="min-w-0 grow basis-72 text-muted">
        Use a recovery code if you lose your password. Print the codes or store them somewhere safe.
        {madeAt === undefined ? null : (
          <>
            {" "}
            <span className="font-medium text-ink">{left} of 10 codes left</span>, generated <TimeAgo at={madeAt} />.
            New codes replace the old codes.
          </>
        )}
      </p>
      <SubmitButton>{madeAt === undefined ? "Generate recovery codes" : "Replace recovery codes"}</SubmitButton>
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
