import { TextLink } from "@/components/ui/styled-links";
import { ExactTime } from "@/components/ui/time/time-ago";
import type { Freeze } from "@/lib/freeze/freeze";

/** A one-line notice about active freezes, on every page. */
export function FreezeNotice({ freezes }: { freezes: Freeze[] }) {
  const [first, ...others] = freezes;
  if (!first) return null;
  return (
    <aside aria-label="Freeze" className="bg-fill px-(--gutter) py-1 forced-colors:border-b">
      <p className="min-h-9 content-center">
        {first.appId === "" ? (
          "All apps have been frozen since "
        ) : others.length > 0 ? (
          `${freezes.length} apps are frozen, the latest since `
        ) : (
          <>
            <bdi>{first.name ?? "An app"}</bdi>
            {first.by === "app" ? " froze itself, and has been frozen since " : " has been frozen since "}
          </>
        )}
        <ExactTime at={first.since} />. <TextLink href="/frozen">Review</TextLink>
      </p>
    </aside>
  );
}
