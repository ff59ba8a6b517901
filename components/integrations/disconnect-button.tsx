import { ConfirmButton } from "@/components/ui/confirm-button";
import type { LinkedAccount } from "@/lib/integrations/accounts";
import { plural } from "@/lib/text/plural";
import { nameOf } from "./words";

/** The way out of a linked account: who loses sight of it, what is not undone by it, and what happens at the provider. */
export function DisconnectButton({ account }: { account: LinkedAccount }) {
  const { id, kind, providerName, seenBy } = account;
  return (
    <ConfirmButton
      act="integration.disconnect"
      fields={{ id }}
      label="Disconnect"
      question={`Disconnect ${nameOf(account)}?`}
      confirm="Disconnect"
    >
      <ul className="grid list-disc gap-2 ps-5">
        {seenBy.length === 0 ? (
          <li>No app sees it, so nothing changes for your apps.</li>
        ) : (
          <li>
            {plural(seenBy.length, { one: "# app loses sight of it", other: "# apps lose sight of it" })}:{" "}
            {seenBy.map(({ appId, name }, at) => (
              <span key={appId}>
                {at > 0 ? ", " : ""}
                <bdi className="font-medium text-text">{name}</bdi>
              </span>
            ))}
            . For 30 days they are told that it is gone.
          </li>
        )}
        <li>Copies that apps already have are not deleted.</li>
        <li>
          {kind === "mail"
            ? "Our copy of the password is destroyed. At your mail provider it keeps working until you delete it there."
            : `We ask ${providerName} to revoke what you granted, and destroy our credentials for it.`}
        </li>
        <li>For 10 seconds you can undo all of it.</li>
      </ul>
    </ConfirmButton>
  );
}
