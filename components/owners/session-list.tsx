import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { SubmitButton } from "@/components/ui/submit-button";
import { TimeAgo } from "@/components/ui/time-ago";
import type { SessionSummary } from "@/lib/owners/schema";

/** Where the owner is signed in, this device first, each with a way to end it. */
export function SessionList({ sessions, end }: { sessions: readonly SessionSummary[]; end: FormAction }) {
  return (
    <ul className="divide-y divide-line" aria-label="Where you are signed in">
      {sessions.map(({ id, device, address, createdAt, lastSeenAt, current }) => (
        <li key={id} className="flex items-center justify-between gap-4 py-2.5">
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-2 font-medium">
              {device}
              {current ? <Badge tone="ok">This device</Badge> : null}
            </p>
            <p className="text-muted">
              <span className="break-all">{address}</span> · since <TimeAgo at={createdAt} />
              {current ? null : (
                <>
                  {" · seen "}
                  <TimeAgo at={lastSeenAt} />
                </>
              )}
            </p>
          </div>
          {current ? (
            <form action="/sign-out" method="post">
              <Button type="submit" size="small" aria-label="Sign out this device">
                Sign out
              </Button>
            </form>
          ) : (
            <ActionForm action={end}>
              <input type="hidden" name="id" value={id} />
              <SubmitButton size="small" aria-label={`Sign out ${device}`}>
                Sign out
              </SubmitButton>
            </ActionForm>
          )}
        </li>
      ))}
    </ul>
  );
}
