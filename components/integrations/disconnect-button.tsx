import { ConfirmButton } from "@/components/ui/confirm-button";
import type { LinkedAccount } from "@/lib/integrations/accounts";
import { plural } from "@/lib/text/plural";
import { nameOf } from "./account-text";

/**
 * Removes a linked account, after a confirmation that lists the apps that lose access and the
 * effects at the provider.
 */
export function DisconnectButton({ account }: { account: LinkedAccount }) {
  const { id, kind, providerName, seenBy } = account;
  return (
    <ConfirmButton
      act="integration.disconnect"
      fields={{ id }}
      label="Remove account"
      question={`Remove ${nameOf(account)}?`}
      confirm="Remove account"
    >
      <ul className="grid list-disc gap-2 ps-5">
        {seenBy.length === 0 ? (
          <li>No app can see this account, so nothing changes for your apps.</li>
        ) : (
          <li>
            {plural(seenBy.length, {
              one: "# app will no longer see this account",
              other: "# apps will no longer see this account",
            })}
            :{" "}
            {seenBy.map(({ appId, name }, index) => (
              <span key={appId}>
                {index > 0 ? ", " : ""}
                <bdi className="font-medium text-ink">{name}</bdi>
              </span>
            ))}
            . For 30 days, {seenBy.length === 1 ? "the app" : "these apps"} can still see that the account was removed.
          </li>
        )}
        <li>Data that apps already copied isn’t deleted.</li>
        <li>
          {kind === "mail"
            ? "We delete our copy of the app password. The app password keeps working until you delete it at your mail provider."
            : `If ${providerName} supports revocation, we ask ${providerName} to revoke our access. We then delete the credentials.`}
        </li>
        <li>You can undo the removal for 10 seconds.</li>
      </ul>
    </ConfirmButton>
  );
}
