import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Checkbox } from "@/components/ui/fields/checkbox";
import type { Access } from "@/lib/integrations/providers/access";
import type { Provider } from "@/lib/integrations/providers/provider";
import { accessSentences, bucketOf, bucketsAmong, kinds } from "./account-text";
import { beginAddress, CancelLink } from "./start-link";

type KindsFormProps = {
  provider: Provider;
  /** The account to reconnect; undefined for a new one. */
  account?: { id: string };
  ticked: readonly Access[];
  /** Whether the owner must sign in again before leaving for the provider. */
  stale: boolean;
};

/** The data types to request from a provider. None is selected in advance. */
export function KindsForm({ provider, account, ticked, stale }: KindsFormProps) {
  const { id, name, offers } = provider;
  return (
    <form action={beginAddress} method="post" className="grid gap-5">
      <input type="hidden" name="provider" value={id} />
      {account ? <input type="hidden" name="account" value={account.id} /> : null}
      <Card title="Data to share">
        <div className={`${line} items-baseline pb-3`}>
          <p className="col-span-full font-medium sm:col-span-1">{kinds.identity}</p>
          <p className="col-span-2 text-muted">
            The account’s address and name. Always included, so you can tell your accounts apart.
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
        {offers.length === 0 ? <p className="pt-3 text-muted">{name} has no other data to share.</p> : null}
      </Card>
      <Card title="How linking works">
        <ol className="grid max-w-[68ch] list-decimal gap-1.5 ps-5">
          {stale ? <li>Sign in here again. Your selection is kept.</li> : null}
          <li>
            {name} asks which account to link and whether you agree. You can grant less there. The account works either
            way.
          </li>
          <li>Return here within ten minutes to see the account and its shared data.</li>
          <li>You choose which of your apps can see this account.</li>
        </ol>
        <p className="mt-3 max-w-[68ch] text-muted">
          The credentials {name} gives us are encrypted and never shown. Apps never get the credentials, a password or
          the account’s contents. They see only its address, its status and its types of shared data. No one can sign in
          here with the account.
        </p>
      </Card>
      <div className="flex flex-wrap gap-3 max-sm:grid">
        <Button type="submit" variant="primary" className="max-sm:min-h-12">
          Continue to {name}
        </Button>
        <CancelLink account={account?.id} />
      </div>
    </form>
  );
}

const line = "grid grid-cols-2 gap-x-4 py-1 sm:grid-cols-[10rem_1fr_1fr]";

/** Requests the smallest set of permissions that a sentence covers. */
const sentences: Partial<Record<Access, string>> = { "mail.write": "Send mail" };
