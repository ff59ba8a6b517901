import { Checkbox } from "@/components/ui/checkbox";
import { WarningIcon } from "@/components/ui/icons";
import type { Offer } from "@/lib/grants/schema";

type AskedScope = Offer["requested"][number];

/** One permission: the sentence the owner reads, and the name the app uses for it. */
export function ScopeBox({ asked, isNew = false }: { asked: AskedScope; isNew?: boolean }) {
  const { scope, sentence, sensitive, grantedAt } = asked;
  return (
    <Checkbox
      name="scope"
      value={scope}
      defaultChecked={grantedAt !== undefined}
      {...(sensitive ? { "data-sensitive": true } : {})}
      label={
        <>
          {sensitive ? <WarningIcon className="mr-1.5 inline size-4 align-[-2px] text-warn" /> : null}
          {sentence}
          {isNew ? <span className="ml-2 rounded bg-accent-soft px-1.5 text-xs text-accent">new</span> : null}
          <span className="mono ml-2 font-normal text-muted">{scope}</span>
        </>
      }
      {...(sensitive ? { detail: "It could say yes to itself. Most apps do not need this." } : {})}
    />
  );
}
