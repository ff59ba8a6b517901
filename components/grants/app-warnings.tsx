import { ButtonLink } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import type { AppAnomalies } from "@/lib/events/app-anomalies";
import type { ConnectedApp } from "@/lib/grants/schema";
import { countText, type Formats } from "@/lib/text/formats";
import { plural } from "@/lib/text/plural";

type AppWarningsProps = {
  grant: ConnectedApp;
  trouble: AppAnomalies | undefined;
  /** Of a consent request of the app that the owner can still decide. */
  openRequest: string | undefined;
  /** What it asks for and does not have, in the owner's words. */
  wanted: readonly string[];
  formats: Formats;
};

/** What the owner should know about an app before anything else: strange behaviour, long silence, more that it wants. */
export function AppWarnings({ grant, trouble, openRequest, wanted, formats }: AppWarningsProps) {
  return (
    <>
      {trouble ? (
        <Notice tone="warn" title="Something about this app looks unusual">
          <ul className="grid gap-0.5">
            {trouble.reused > 0 ? (
              <li>
                A token that had been replaced was used again, which is what a thief would do. Everything issued with it
                was revoked. If you can’t explain it, revoke the app’s access.
              </li>
            ) : null}
            {trouble.shared > 0 ? (
              <li>
                Its token was renewed by two at once, again and again, or from two networks. Unless you run it in two
                places, somebody else may have a copy: revoke its access and connect it again.
              </li>
            ) : null}
            {trouble.tooMany > 0 ? (
              <li>Too many requests at once: {times(trouble.tooMany, formats)} refused in seven days.</li>
            ) : null}
            {trouble.deadToken > 0 ? (
              <li>It used a token that no longer works: {times(trouble.deadToken, formats)} refused in seven days.</li>
            ) : null}
          </ul>
        </Notice>
      ) : null}
      {grant.idle ? (
        <Notice title="Not used for 90 days">
          If you no longer need this app, revoke its access. It can ask again.
        </Notice>
      ) : null}
      {wanted.length > 0 || openRequest ? (
        <Notice title={openRequest ? "It asks for more now" : "It would like more"}>
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
                Decide
              </ButtonLink>
            </p>
          ) : (
            <p className="text-muted">You haven’t allowed this. The app can ask you on the consent screen.</p>
          )}
        </Notice>
      ) : null}
    </>
  );
}

const times = (count: number, formats: Formats) =>
  plural(count, { one: "once", other: "# calls" }, countText(count, formats));
