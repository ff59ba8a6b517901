import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { SubmitButton } from "@/components/ui/submit-button";
import { Thing, Things } from "@/components/ui/things";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { SessionSummary } from "@/lib/owners/schema";

/** Where the owner is signed in, this device first, each with a way to end it. */
export const SessionList = ({ sessions, end }: { sessions: readonly SessionSummary[]; end: FormAction }) => (
  <Things label="Where you are signed in">
    {sessions.map(({ id, device, address, createdAt, lastSeenAt, current }) => (
      <Thing
        key={id}
        name={
          <>
            {device}
            {current ? <Badge tone="ok">This device</Badge> : null}
          </>
        }
        about={
          <>
            <span className="break-all">{address}</span> · since <TimeAgo at={createdAt} />
            {current ? null : (
              <>
                {" · seen "}
                <TimeAgo at={lastSeenAt} />
              </>
            )}
          </>
        }
        gone={`Signed out ${device}`}
      >
        {current ? (
          <form action="/sign-out" method="post" className="shrink-0">
            <Button type="submit" size="small" aria-label="Sign out this device" className="whitespace-nowrap">
              Sign out
            </Button>
          </form>
        ) : (
          <ActionForm action={end} className="grid shrink-0 gap-2">
            <input type="hidden" name="id" value={id} />
            <SubmitButton size="small" aria-label={`Sign out ${device}`} className="whitespace-nowrap">
              Sign out
            </SubmitButton>
          </ActionForm>
        )}
      </Thing>
    ))}
  </Things>
);
