import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { DeliveryPage } from "@/lib/webhooks/schema";
import { attemptWords, deliveryWords } from "./webhook-status-text";

/**
 * Deliveries, latest first, and a notice if some are in a database that is away.
 * @param at the URL of the webhook's page
 */
export const DeliveryList = ({ page, at, isFiltered }: { page: DeliveryPage; at: string; isFiltered: boolean }) => (
  <>
    {page.isComplete ? null : (
      <Notice tone="warn">
        Some deliveries are unavailable at the moment, because a database does not respond. Try again later.
      </Notice>
    )}
    {page.items.length > 0 ? <Rows items={page.items} at={at} /> : null}
    {page.items.length === 0 && page.isComplete ? (
      <p className="text-muted">
        No {isFiltered ? "matching " : ""}deliveries{isFiltered ? "" : " yet"}. Each delivery is listed for seven days.
      </p>
    ) : null}
  </>
);

/** Shown instead of a delivery that may be in a database that is away. */
export const UnavailableDelivery = () => (
  <Notice tone="warn">
    This delivery is unavailable at the moment, because a database does not respond. Try again later.
  </Notice>
);

const Rows = ({ items, at }: { items: DeliveryPage["items"]; at: string }) => (
  <ol className="-mx-2">
    {items.map(({ id, type, state, attempts, createdAt, latest }) => (
      <li key={id}>
        <Link
          href={`${at}/${id}`}
          data-row
          className="grid min-h-12 grid-cols-[5.5rem_minmax(0,1fr)_auto] items-baseline gap-x-3 rounded-lg px-2 py-2.5 hover:bg-fill"
        >
          <span>
            <Badge tone={deliveryWords[state].tone}>{deliveryWords[state].word}</Badge>
          </span>
          <span className="mono min-w-0 break-words">{type}</span>
          <TimeAgo at={createdAt} className="text-end text-xs text-muted" />
          <span className="col-span-2 col-start-2 text-xs text-muted">
            {latest ? attemptWords(latest) : null}
            {attempts > 1 ? ` · ${attempts} attempts` : null}
          </span>
        </Link>
      </li>
    ))}
  </ol>
);
