"use client";
import { ActionForm } from "@/components/actions/action-form";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { CopyableValue } from "@/components/ui/copyable-value";
import { Notice } from "@/components/ui/notice";
import { ExactTime, TimeAgo } from "@/components/ui/time/time-ago";
import type { RegisteredApp } from "@/lib/apps/schema";

type SecretFormProps = { app: Pick<RegisteredApp, "clientId" | "secretLast4" | "secretUsedAt" | "oldSecret"> };

/**
 * The current secret and, while both work, the old one. One button replaces the current secret, and
 * another revokes the old one.
 */
export function SecretForm({ app }: SecretFormProps) {
  const { clientId, secretLast4, secretUsedAt, oldSecret } = app;
  return (
    <section aria-labelledby="secret" className="grid gap-3">
      <h3 id="secret" className="font-medium">
        Client secret
      </h3>
      <p>
        The current secret ends in <span className="mono">{secretLast4}</span> and was <Used at={secretUsedAt} />.
      </p>
      {oldSecret ? (
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-lg border border-warn bg-warn-soft px-3.5 py-3">
          <p className="max-w-[52ch]">
            The old secret, ending in <span className="mono">{oldSecret.last4}</span>, works until{" "}
            <ExactTime at={oldSecret.until} />. The old secret was <Used at={oldSecret.usedAt} />.
          </p>
          <ConfirmButton
            act="app.end-old-secret"
            fields={{ clientId }}
            label="Revoke old secret"
            question="Revoke the old secret now?"
            variant="secondary"
          >
            Clients that still use the old secret will no longer be able to get tokens. Existing access tokens work
            until they expire.
          </ConfirmButton>
        </div>
      ) : null}
      <ActionForm
        act="app.rotate-secret"
        save="Replace secret"
        fields={{ clientId }}
        className="grid gap-3"
        success={({ clientSecret, oldLast4, oldUntil }) => (
          <div className="grid gap-3">
            <Notice tone="ok">
              Copy the new secret now. It can’t be shown again. The old secret, ending in{" "}
              <span className="mono">{oldLast4}</span>, also works until <ExactTime at={oldUntil} />.
            </Notice>
            <CopyableValue label="Client secret" text={clientSecret} />
          </div>
        )}
      >
        <p className="text-muted">
          If you lost or exposed the secret, replace it. <Afterwards app={app} />
        </p>
      </ActionForm>
    </section>
  );
}

/** Describes which secrets will work after another replacement (see rotateSecret). */
function Afterwards({ app: { secretLast4, secretUsedAt, oldSecret } }: Pick<SecretFormProps, "app">) {
  if (!oldSecret)
    return "When you replace the secret, the current secret works for another 24 hours, unless you revoke it.";
  const [inUse, before] = [secretLast4, oldSecret.last4].map((last4) => (
    <span key={last4} className="mono">
      {last4}
    </span>
  ));
  if (secretUsedAt === undefined)
    return (
      <>
        When you replace the secret, the secret ending in {inUse} stops working immediately, because it was never used.
        The secret ending in {before} keeps working until <ExactTime at={oldSecret.until} />.
      </>
    );
  return (
    <>
      When you replace the secret, the secret ending in {before} stops working immediately. The secret ending in {inUse}{" "}
      works for another 24 hours.
    </>
  );
}

const Used = ({ at }: { at: number | undefined }) =>
  at === undefined ? (
    "never used"
  ) : (
    <>
      last used <TimeAgo at={at} />
    </>
  );
