import { Page } from "@/components/layout/page";
import { Feed, feedAddress } from "@/components/notifications/feed";
import { FeedFilters } from "@/components/notifications/filters";
import { ReadAll } from "@/components/notifications/read-all";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { knownApps } from "@/lib/grants/known-apps";
import { isId } from "@/lib/ids";
import { countUnread, readFeed } from "@/lib/notifications/feed";
import { requireOwner } from "@/lib/web/session";
import { read, readAll } from "./actions";

export const metadata = { title: "Notifications" };

type Search = Promise<Record<string, string | string[] | undefined>>;

export default async function Notifications({ searchParams }: { searchParams: Search }) {
  const owner = await requireOwner();
  const asked = new URLSearchParams(
    Object.entries(await searchParams).flatMap(([name, value]) => [[name, String(value)]]),
  );
  const app = asked.get("app") ?? "";
  const before = asked.get("before") ?? "";
  const view = { ...(isId("app", app) && { appId: app }), ...(asked.get("show") === "unread" && { unread: true }) };
  const narrowed = view.appId !== undefined || view.unread === true;
  const [{ notifications, next }, unread, apps] = await Promise.all([
    readFeed(owner, { ...view, ...(before && { before }) }),
    countUnread(owner),
    knownApps(owner),
  ]);
  const newest = notifications[0];
  return (
    <Page>
      <PageHeader
        title="Notifications"
        lead={unread > 0 ? `${unread > 99 ? "99+" : unread} unread` : "Nothing unread"}
        actions={
          newest && unread > 0 ? (
            <ReadAll action={readAll} upTo={newest.id} app={view.appId} narrowed={narrowed} />
          ) : null
        }
      />
      <FeedFilters view={view} apps={apps} />
      {newest ? (
        <Feed notifications={notifications} action={read} />
      ) : narrowed || before ? (
        <EmptyState
          title={view.unread ? "Nothing unread here" : "Nothing here"}
          action={<ButtonLink href="/notifications">Show everything</ButtonLink>}
        />
      ) : (
        <EmptyState title="Nothing new">
          What your apps want you to know, without asking anything, appears here by itself. It never interrupts.
        </EmptyState>
      )}
      {next ? (
        <nav aria-label="Pages" className="mt-4 flex justify-center">
          <ButtonLink href={feedAddress(view, next)}>Earlier notifications</ButtonLink>
        </nav>
      ) : null}
    </Page>
  );
}
