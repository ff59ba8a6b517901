import { Checkbox } from "@/components/ui/fields/checkbox";
import { WarningIcon } from "@/components/ui/icons";
import type { Offer } from "@/lib/grants/schema";

type AskedScope = Offer["requested"][number];

/**
 * One permission: the sentence the owner reads, why the app wants it in its own words, and the name the app uses for it. What
 * the app cannot do without is ticked and stays so: a locked box is not sent, so its value goes along hidden.
 */
export function ScopeBox({ asked, isNew = false }: { asked: AskedScope; isNew?: boolean }) {
  const { scope, sentence, sensitive, required, purpose, grantedAt } = asked;
  const detail = (
    <>
      {purpose ? (
        <q className="block">
          <bdi>{purpose}</bdi>
        </q>
      ) : null}
      {sensitive ? "It could say yes to itself. Most apps do not need this." : null}
    </>
  );
  return (
    <>
      {required ? <input type="hidden" name="scope" value={scope} /> : null}
      <Checkbox
        name="scope"
        value={scope}
        defaultChecked={grantedAt !== undefined || required}
        disabled={required}
        {...(sensitive ? { "data-sensitive": true } : {})}
        label={
          <>
            {sensitive ? <WarningIcon className="mr-1.5 inline size-4 align-[-2px] text-warn" /> : null}
            {sentence}
            {isNew ? <span className="ml-2 rounded bg-accent-soft px-1.5 text-xs text-accent">new</span> : null}
            {required ? (
              <span className="ml-2 rounded bg-line px-1.5 text-xs whitespace-nowrap">needed to work</span>
            ) : null}
            <span className="mono ml-2 font-normal text-muted">{scope}</span>
          </>
        }
        {...(purpose || sensitive ? { detail } : {})}
      />
    </>
  );
}
