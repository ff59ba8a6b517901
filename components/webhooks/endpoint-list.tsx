import { Badge } from "@/components/ui/badge";
import { ChevronIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { WebhookEndpoint } from "@/lib/webhooks/schema";
import { endpointWords } from "./webhook-status-text";

/** An app's webhooks with their status. */
export const EndpointList = ({ endpoints }: { endpoints: readonly WebhookEndpoint[] }) => (
  <ul className="-mx-2">
    {endpoints.map(({ id, clientId, url, description, state, failingSince }) => (
      <li key={id}>
        <Link
          href={`/developer/${clientId}/webhooks/${id}`}
          data-row
          className="flex min-h-14 items-center gap-3 rounded-lg px-2 py-2 compact:min-h-11 compact:py-1 hover:bg-fill"
        >
          <span className="min-w-0 grow">
            <span className="mono block break-all">{url}</span>
            <span className="block text-muted">
              {description ? <bdi>{description}</bdi> : null}
              {description && failingSince ? " · " : null}
              {failingSince ? (
                <span className="text-danger">
                  failing since <TimeAgo at={failingSince} />
                </span>
              ) : null}
            </span>
          </span>
          <Badge tone={endpointWords[state].tone}>{endpointWords[state].word}</Badge>
          <ChevronIcon className="size-4 shrink-0 text-muted" />
        </Link>
      </li>
    ))}
  </ul>
);
