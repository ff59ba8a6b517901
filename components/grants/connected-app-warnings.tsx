import { Notice } from "@/components/ui/notice";
import { ButtonLink } from "@/components/ui/styled-links";
import type { AppAnomalies } from "@/lib/events/app-anomalies";
import type { ConnectedApp } from "@/lib/grants/schema";
import { plural } from "@/lib/text/plural";

type AppWarningsProps = {
  grant: ConnectedApp;
  trouble: AppAnomalies | undefined;
  /** The ID of the app's pending consent request. */
  openRequest: string | undefined;
  /** The requested permissions that the app lacks, as text. */
  wanted: readonly string[];
};

/**
 * Warnings about an app: unusual activity, long inactivity, or an open request for more access.
 */
export function AppWarnings({ grant, trouble, openRequest, wanted }: AppWarningsProps) {
  return (
    <>
      {trouble ? (
        <Notice tone="warn" title="Unusual activity from this app">
          <ul className="grid gap-0.5">
            {trouble.reused > 0 ? (
              <li>
                Someone reused an old token or code, which may be stolen. We revoked all tokens from the same
                connection.
              </li>
            ) : null}
            {trouble.shared > 0 ? (
              <li>
                This app’s token is in use in two places. If you don’t run the app in two places, revoke its access and
                connect it again.
              </li>
            ) : null}
            {trouble.tooMany > 0 ? (
              <li>Rate limit exceeded: {times(trouble.tooMany)} rejected in the last seven days.</li>
            ) : null}
            {trouble.deadToken > 0 ? (
              <li>Invalid token: {times(trouble.deadToken)} rejected in the last seven days.</li>
            ) : null}
          </ul>
        </Notice>
      ) : null}
      {grant.idle ? (
        <Notice title="Not used for 90 days">
          If you no longer need this app, revoke access. The app can request access again.
        </Notice>
      ) : null}
      {wanted.length > 0 || openRequest ? (
        <Notice title="The app requests more permissions">
          {wanted.length > 0 ? (
            <ul className="list-disc ps-5">
              {wanted.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          ) : null}
          {openRequest ? (
            <p className="mt-2">
              <ButtonLink href={`/consent/${openRequest}`} size="small">
                Review request
              </ButtonLink>
            </p>
          ) : (
            <p className="text-muted">
              You haven’t allowed these permissions. The app can send you a request at any time.
            </p>
          )}
        </Notice>
      ) : null}
    </>
  );
}

const times = (count: number) => plural(count, { one: "# request", other: "# requests" });
