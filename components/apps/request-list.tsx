import { Badge } from "@/components/ui/badge";
import { WarningIcon } from "@/components/ui/icons";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { ApiRequest } from "@/lib/grants/schema";

type RequestListProps = { items: readonly ApiRequest[]; oneApp: boolean };

/** Requests, latest first: a line each, two on a phone. */
export function RequestList({ items, oneApp }: RequestListProps) {
  return (
    <ol className="divide-y divide-line rounded-xl border border-line bg-raised shadow-card">
      {items.map((item) => (
        <li
          key={item.id}
          className="grid grid-cols-[3rem_minmax(0,1fr)_auto] items-baseline gap-x-3 px-4 py-2.5 lg:grid-cols-[3rem_minmax(0,2fr)_minmax(0,1fr)_4rem_6rem]"
        >
          <Badge tone={tone(item.status)}>{item.status}</Badge>
          <span className="font-mono text-xs">
            {item.method} <span className="font-semibold">{item.path}</span>
            {item.more > 0 ? (
              <span className="ml-2 font-sans text-muted">
                and {item.more.toLocaleString("en")} more like this, not listed
              </span>
            ) : null}
          </span>
          <TimeAgo at={item.at} className="text-right text-xs text-muted lg:order-last" />
          <span className="col-start-2 text-xs text-muted lg:col-start-auto">
            {oneApp ? null : <bdi>{item.app.name}</bdi>}
          </span>
          <span className="text-right text-xs text-muted tabular-nums">{item.ms} ms</span>
          {item.warnings.length > 0 ? (
            <ul className="col-span-2 col-start-2 mt-1 grid gap-0.5 lg:order-last lg:col-span-4 lg:col-start-2">
              {item.warnings.map((warning) => (
                <li key={warning} className="flex gap-1.5 text-xs text-warn">
                  <WarningIcon className="size-4" />
                  <span>
                    Left out: <bdi className="font-mono">{warning}</bdi>
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

const tone = (status: number) => (status < 400 ? "ok" : status < 500 ? "warn" : "danger");
