import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { Delivery } from "@/lib/webhooks/schema";
import { attemptWords, deliveryWords } from "./words";

/** What was sent, latest first: a line each, two on a phone. `at` is the address of the page they stand on. */
export const DeliveryList = ({ items, at }: { items: readonly Delivery[]; at: string }) => (
  <ol className="-mx-2 divide-y divide-line">
    {items.map(({ id, type, state, attempts, createdAt, latest }) => (
      <li key={id}>
        <Link
          href={`${at}/${id}`}
          prefetch={false}
          data-row
          className="grid min-h-12 grid-cols-[5.5rem_minmax(0,1fr)_auto] items-baseline gap-x-3 rounded-lg px-2 py-2.5 hover:bg-bg"
        >
          <span>
            <Badge tone={deliveryWords[state].tone}>{deliveryWords[state].word}</Badge>
          </span>
          <span className="mono min-w-0 break-words">{type}</span>
          <TimeAgo at={createdAt} className="text-right text-xs text-muted" />
          <span className="col-span-2 col-start-2 text-xs text-muted">
            {latest ? attemptWords(latest) : null}
            {attempts > 1 ? ` · ${attempts} attempts` : null}
          </span>
        </Link>
      </li>
    ))}
  </ol>
);
