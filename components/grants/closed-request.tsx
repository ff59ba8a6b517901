import { Doorway } from "@/components/layout/doorway";
import { ButtonLink } from "@/components/ui/button-link";

/** A consent request that cannot be decided: decided before (409), too old (410), or nobody's that is signed in (404). */
export function ClosedRequest({ status }: { status: number }) {
  const [title, lead] = closed[status] ?? unknown;
  return (
    <Doorway title={title} lead={lead}>
      <ButtonLink href="/apps" variant="primary" size="wide">
        See your connected apps
      </ButtonLink>
    </Doorway>
  );
}

const closed: Record<number, readonly [title: string, lead: string]> = {
  409: [
    "You have decided this already",
    "A request is decided once. To decide again, go back to the app and start over.",
  ],
  410: [
    "This request has expired",
    "It was open for ten minutes. Go back to the app and start over; nothing was allowed.",
  ],
};
const unknown = [
  "This request does not exist",
  "It may be for another account, or long expired. Go back to the app and start over; nothing was allowed.",
] as const;
