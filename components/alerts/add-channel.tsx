"use client";
import { ActionForm } from "@/components/actions/action-form";
import { useFlash } from "@/components/actions/flash-context";
import { CopyableValue } from "@/components/ui/copyable-value";
import { Disclosure } from "@/components/ui/fields/disclosure";
import { Notice } from "@/components/ui/notice";
import type { ActionName } from "@/lib/web/action-registry";

type AddChannelProps = {
  act: Extract<ActionName, `channel.add-${string}`>;
  label: string;
  /** The form's fields. */
  children: React.ReactNode;
};

/**
 * The collapsed form that adds one type of channel. If the new channel has a signing secret, the
 * secret replaces the form, because it is shown only once.
 */
export function AddChannel({ act, label, children }: AddChannelProps) {
  const refused = useFlash(act, "")?.ok === false;
  return (
    <Disclosure label={label} open={refused || undefined} className="open:basis-full">
      <ActionForm
        act={act}
        save="Add channel"
        className="mt-2 mb-4 grid max-w-md gap-4"
        success={(added) =>
          "secret" in added ? (
            <div className="grid gap-3">
              <Notice tone="ok" title="Channel added">
                Copy the signing secret now. It can’t be shown again. Your server uses the secret to verify that
                messages come from Countersign.
              </Notice>
              <CopyableValue label="Signing secret" text={added.secret} />
            </div>
          ) : (
            <Notice tone="ok">Channel added. Send a test alert to check the channel.</Notice>
          )
        }
      >
        {children}
      </ActionForm>
    </Disclosure>
  );
}
