import { Page } from "@/components/layout/page";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { Chip, Chips } from "@/components/ui/filter-chips";
import { WarningIcon } from "@/components/ui/icons";
import { ButtonLink } from "@/components/ui/styled-links";
import { TimeAgo } from "@/components/ui/time/time-ago";
import { urlWithQuery } from "@/components/ui/url-with-query";
import { type ApiRequest, RequestFilter } from "@/lib/grants/schema";
import { plural } from "@/lib/text/plural";
import { listRequests, requestingApps } from "@/lib/traffic/list-requests";
import { requireOwner } from "@/lib/web/session";

export const metadata = { title: "Requests" };

type Params = Promise<Record<string, string | string[] | undefined>>;

export default async function Requests({ searchParams }: { searchParams: Params }) {
  const owner = await requireOwner();
  const query = await searchParams;
  const filter = RequestFilter.parse({ appId: query.app, refused: query.refused === "1", before: query.before });
  const [{ items, next }, apps] = await Promise.all([listRequests(owner, filter), requestingApps(owner)]);
  const { appId, refused = false, before } = filter;
  const to = (change: Partial<RequestFilter>) => address({ appId, refused, ...change });
  return (
    <Page
      title="Requests"
      back={{ href: "/developer", label: "Developer" }}
      lead="This list shows API requests that apps made for your account in the last seven days, without their contents. To see new requests, refresh the list."
      actions={
        <a href={to({})} className="link inline-flex min-h-11 items-center">
          Refresh
        </a>
      }
    >
      <nav aria-label="Filter requests" className="mb-4 grid gap-1">
        <Chips>
          <Chip href={to({ refused: false })} here={!refused}>
            All
          </Chip>
          <Chip href={to({ refused: true })} here={refused}>
            Rejected (4xx)
          </Chip>
        </Chips>
        {apps.length > 1 || appId ? (
          <Chips>
            <Chip href={to({ appId: undefined })} here={!appId}>
              All apps
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
          title={refused ? "No rejected requests" : "No requests"}
          action={
            appId || refused || before ? (
              <ButtonLink href="/developer/requests">Show all requests</ButtonLink>
            ) : (
              <ButtonLink href="/docs">Read the quick start</ButtonLink>
            )
          }
        >
          Requests with an unknown token aren’t listed.
        </EmptyState>
      ) : (
        <RequestList items={items} oneApp={appId !== undefined} />
      )}
      {next ? (
        <p className="mt-4">
          <ButtonLink href={to({ before: next })}>Older requests</ButtonLink>
        </p>
      ) : null}
    </Page>
  );
}

const address = ({ appId, refused, before }: RequestFilter) =>
  urlWithQuery("/developer/requests", { app: appId, refused: refused ? "1" : undefined, before });

/** API requests, latest first, one per row. */
function RequestList({ items, oneApp }: { items: readonly ApiRequest[]; oneApp: boolean }) {
  return (
    <ol className="divide-y divide-line rounded-xl bg-pane forced-colors:border">
      {items.map((item) => (
        <li
          key={item.id}
          className="grid grid-cols-[3rem_minmax(0,1fr)_auto] items-baseline gap-x-3 px-4 py-2.5 lg:grid-cols-[3rem_minmax(0,2fr)_minmax(0,1fr)_4rem_6rem]"
        >
          <Badge tone={tone(item.status)}>{item.status}</Badge>
          <span className="font-mono text-xs">
            {item.method} <span className="font-semibold">{item.path}</span>
            {item.more > 0 ? (
              <span className="ms-2 font-sans text-muted">
                {plural(item.more, {
                  one: "and # similar request that isn’t listed",
                  other: "and # similar requests that aren’t listed",
                })}
              </span>
            ) : null}
          </span>
          <TimeAgo at={item.at} className="text-end text-xs text-muted lg:order-last" />
          <span className="col-start-2 text-xs text-muted lg:col-start-auto">
            {oneApp ? null : <bdi>{item.app.name}</bdi>}
          </span>
          <span className="text-end text-xs text-muted tabular-nums">{item.ms} ms</span>
          {item.warnings.length > 0 ? (
            <ul className="col-span-2 col-start-2 mt-1 grid gap-0.5 lg:order-last lg:col-span-4 lg:col-start-2">
              {item.warnings.map((warning) => (
                <li key={warning} className="flex gap-1.5 text-xs text-warn">
                  <WarningIcon className="size-4" />
                  <span>
                    Ignored field: <bdi className="font-mono">{warning}</bdi>
                  </span>
                </li>
              ))}
            </ul>
          ) : null}
          <span className="mono col-span-2 col-start-2 text-muted lg:order-last lg:col-span-4 lg:col-start-2">
            {item.id}
          </span>
        </li>
      ))}
    </ol>
  );
}

const tone = (status: number) => (status < 400 ? "neutral" : status < 500 ? "warn" : "danger");
