import { RequestList } from "@/components/apps/request-list";
import { Page } from "@/components/layout/page";
import { ButtonLink } from "@/components/ui/button-link";
import { Chip, Chips } from "@/components/ui/chips";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { RequestFilter } from "@/lib/grants/schema";
import { listRequests, requestingApps } from "@/lib/traffic/requests";
import { requireOwner } from "@/lib/web/session";

export const metadata = { title: "Requests" };

type Params = Promise<Record<string, string | string[] | undefined>>;

export default async function Requests({ searchParams }: { searchParams: Params }) {
  const owner = await requireOwner();
  const asked = await searchParams;
  const filter = RequestFilter.parse({ appId: asked.app, refused: asked.refused === "1", before: asked.before });
  const [{ items, next }, apps] = await Promise.all([listRequests(owner, filter), requestingApps(owner)]);
  const { appId, refused = false, before } = filter;
  const to = (change: Partial<RequestFilter>) => address({ appId, refused, ...change });
  return (
    <Page wide>
      <PageHeader
        title="Requests"
        back={{ href: "/developer", label: "Developer" }}
        lead="API requests on your account in the last seven days, without their contents. The list is a few seconds behind."
        actions={
          <a href={to({})} className="link inline-flex min-h-11 items-center">
            Look again
          </a>
        }
      />
      <nav aria-label="Show" className="mb-4 grid gap-1">
        <Chips>
          <Chip href={to({ refused: false })} here={!refused}>
            All
          </Chip>
          <Chip href={to({ refused: true })} here={refused}>
            Refused (4xx)
          </Chip>
        </Chips>
        {apps.length > 1 || appId ? (
          <Chips>
            <Chip href={to({ appId: undefined })} here={!appId}>
              Every app
            </Chip>
            {apps.map((app) => (
              <Chip key={app.appId} href={to({ appId: app.appId })} here={app.appId === appId}>
                {app.name}
              </Chip>
            ))}
          </Chips>
        ) : null}
      </nav>
      {items.length === 0 ? (
        <EmptyState
          title={refused ? "Nothing was refused" : "No requests"}
          action={
            appId || refused || before ? (
              <ButtonLink href="/developer/requests">Show all</ButtonLink>
            ) : (
              <ButtonLink href="/docs">Read how to ask</ButtonLink>
            )
          }
        >
          Requests stay here for seven days. Requests with an unknown token are not listed.
        </EmptyState>
      ) : (
        <RequestList items={items} oneApp={appId !== undefined} />
      )}
      {next ? (
        <p className="mt-4">
          <ButtonLink href={to({ before: next })}>Older</ButtonLink>
        </p>
      ) : null}
    </Page>
  );
}

function address({ appId, refused, before }: RequestFilter): string {
  const query = new URLSearchParams({
    ...(appId && { app: appId }),
    ...(refused && { refused: "1" }),
    ...(before && { before }),
  });
  return `/developer/requests${query.size > 0 ? `?${query}` : ""}`;
}
