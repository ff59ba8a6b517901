import { Button, buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Checkbox } from "@/components/ui/fields/checkbox";
import { Link } from "@/components/ui/link";
import type { Access } from "@/lib/integrations/providers/access";
import type { Provider } from "@/lib/integrations/providers/provider";
import { beginAddress } from "./start-link";
import { accessSentences, bucketOf, bucketsAmong, kinds } from "./words";

type KindsFormProps = {
  provider: Provider;
  /** The account to be connected again, if it is not a new one. */
  account?: { id: string };
  ticked: readonly Access[];
  /** Whether the owner has to sign in again on the way. */
  stale: boolean;
};

/** Which kinds of data the owner wants a provider to give, before they leave for it. Nothing is ticked that they did not tick. */
export function KindsForm({ provider, account, ticked, stale }: KindsFormProps) {
  const { id, name, offers } = provider;
  return (
    <form action={beginAddress} method="post" className="grid gap-5">
      <input type="hidden" name="provider" value={id} />
      {account ? <input type="hidden" name="account" value={account.id} /> : null}
      <Card title="What it may give">
        <div className={`${line} items-baseline pb-3`}>
          <p className="col-span-full font-medium sm:col-span-1">{kinds.identity}</p>
          <p className="col-span-2 text-muted">
            Its address and name, always: so that you can tell your accounts apart.
          </p>
        </div>
        {bucketsAmong(offers).map((bucket) => (
          <fieldset key={bucket} className={`${line} items-center border-t border-line`}>
            <legend className="float-start col-span-full pt-1 font-medium sm:col-span-1 sm:pt-0">
              {kinds[bucket]}
            </legend>
            {offers
              .filter((access) => bucketOf(access) === bucket)
              .map((access) => (
                <Checkbox
                  key={access}
                  name="access"
                  value={access}
                  defaultChecked={ticked.includes(access)}
                  label={<span className="font-normal">{sentences[access] ?? accessSentences[access]}</span>}
                  className="items-center! max-sm:min-h-12"
                />
              ))}
          </fieldset>
        ))}
        {offers.length === 0 ? <p className="pt-3 text-muted">{name} gives nothing else here.</p> : null}
      </Card>
      <Card title="What happens">
        <ol className="grid max-w-[68ch] list-decimal gap-1.5 ps-5">
          {stale ? <li>You sign in here once more. What you ticked is kept.</li> : null}
          <li>
            {name} asks you which account it is and whether you agree. You can allow less there; the account works
            either way.
          </li>
          <li>You come back here within ten minutes, and see which account it was and what it gives.</li>
          <li>You choose which of your apps may see that you have it.</li>
        </ol>
        <p className="mt-3 max-w-[68ch] text-muted">
          What {name} gives us to reach the account is kept encrypted and shown to nobody. Apps never get it, nor a
          password, nor what is in the account: only its address, whether it works and which kinds of data it gives. And
          nobody can sign in here with it.
        </p>
      </Card>
      <div className="flex flex-wrap gap-3 max-sm:grid">
        <Button type="submit" variant="primary" className="max-sm:min-h-12">
          Continue to {name}
        </Button>
        <Link
          href={account ? `/integrations/${account.id}` : "/integrations/link"}
          className={buttonClass({ variant: "quiet" })}
        >
          Cancel
        </Link>
      </div>
    </form>
  );
}

const line = "grid grid-cols-2 gap-x-4 py-1 sm:grid-cols-[10rem_1fr_1fr]";

/** What is asked for is the least that a sentence takes. */
const sentences: Partial<Record<Access, string>> = { "mail.write": "Send mail" };
