import { Badge } from "@/components/ui/badge";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { LinkedAccount } from "@/lib/integrations/accounts";
import { plural } from "@/lib/text/plural";
import { providerWords, statusWords } from "./account-text";

/** An account's status in one word, or nothing if the account works. */
export function StatusBadge({ status }: Pick<LinkedAccount, "status">) {
  if (status === "connected") return null;
  const { tone, word } = statusWords[status];
  return (
    <Badge tone={tone}>
      <span
        aria-hidden="true"
        className={`size-1.5 rounded-full bg-current ${status === "disconnected" ? "opacity-50" : ""}`}
      />
      {word}
    </Badge>
  );
}

/** The reason for a status, and what the owner can do next. */
export function StatusLine({ account }: { account: LinkedAccount }) {
  const { status, ready, failing, checkedAt, nextTryAt, removedAt, missing, why } = account;
  switch (status) {
    case "connected":
      return (
        <p>
          {failing
            ? "The last check failed. "
            : missing.length > 0
              ? `Working, but ${plural(missing.length, { one: "# permission is", other: "# permissions are" })} missing`
              : "Working"}
          {failing ? (
            <span className="text-muted">
              <NextTry at={nextTryAt} />
            </span>
          ) : checkedAt ? (
            <span className="text-muted">
              {" "}
              · checked <TimeAgo at={checkedAt} />
            </span>
          ) : null}
        </p>
      );
    case "needs_reauth":
      return (
        <p>
          {why}{" "}
          <span className="font-medium">
            {ready
              ? "Reconnect the account."
              : `To reconnect the account, ask your operator to set up ${providerWords(account)} again.`}
          </span>
        </p>
      );
    case "error":
      return (
        <p>
          {why}{" "}
          <span className="text-muted">
            <NextTry at={nextTryAt} />
          </span>
        </p>
      );
    case "disconnected":
      return (
        <p className="text-muted">
          You removed this account
          {removedAt ? (
            <>
              {" "}
              <TimeAgo at={removedAt} />
            </>
          ) : null}
          . For 30 days, apps that had access can see that the account was removed.
          {ready ? null : ` To reconnect the account, ask your operator to set up ${providerWords(account)} again.`}
        </p>
      );
  }
}

const NextTry = ({ at }: { at: number | undefined }) =>
  at === undefined ? (
    "We’ll try again automatically."
  ) : (
    <>
      Next attempt <TimeAgo at={at} />.
    </>
  );
