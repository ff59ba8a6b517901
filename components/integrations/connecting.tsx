import Link from "next/link";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { OnTheWay } from "@/lib/integrations/accounts";

/** The owner set out for a provider and is not back yet. */
export const Connecting = ({ way: { provider, providerName, since } }: { way: OnTheWay }) => (
  <p className="mb-4 rounded-lg border border-line bg-surface px-4 py-3">
    You left for {providerName} <TimeAgo at={since} /> and have not come back yet. You have ten minutes to finish; you
    can also{" "}
    <Link href={`/integrations/link/${provider}`} prefetch={false} className="link">
      start again
    </Link>
    .
  </p>
);
