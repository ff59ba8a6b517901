import { Badge } from "@/components/ui/badge";
import type { LinkedAccount } from "@/lib/integrations/accounts";
import { bucketsAmong, kinds, kindWords, verbs } from "./words";

/** What an account gives, kind by kind with what may be done; and what the owner asked for and it does not give. */
export function KindChips({ account }: { account: Pick<LinkedAccount, "buckets" | "granted" | "missing"> }) {
  const { buckets, granted, missing } = account;
  return (
    <ul aria-label="Kinds of data" className="flex flex-wrap gap-1.5">
      {buckets.map((bucket) => (
        <li key={bucket}>
          <Badge>{kindWords(bucket, granted)}</Badge>
        </li>
      ))}
      {bucketsAmong(missing).map((bucket) => (
        <li key={bucket}>
          <span className="inline-flex items-center rounded-md border border-dashed border-warn px-1.5 py-px text-xs font-medium text-warn">
            {kinds[bucket]} · {verbs(bucket, missing)} not granted
          </span>
        </li>
      ))}
    </ul>
  );
}
