import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Checkbox } from "@/components/ui/fields/checkbox";
import { Disclosure } from "@/components/ui/fields/disclosure";
import type { Access } from "@/lib/integrations/providers/access-types";
import type { Provider } from "@/lib/integrations/providers/provider";
import { accessSentences, bucketOf, bucketsAmong, kinds } from "./account-text";
import { beginAddress, CancelLink } from "./start-account-link";

type DataTypesFormProps = {
  provider: Provider;
  /** The account to reconnect, or undefined for a new account. */
  account?: { id: string };
  selected: readonly Access[];
  /** Whether the owner has to sign in again before the redirect to the provider. */
  stale: boolean;
};

/** The form that selects the data types to request from a provider. */
export function DataTypesForm({ provider, account, selected, stale }: DataTypesFormProps) {
  const { id, name, offers } = provider;
  return (
    <form action={beginAddress} method="post" className="grid gap-5">
      <input type="hidden" name="provider" value={id} />
      {account ? <input type="hidden" name="account" value={account.id} /> : null}
      <Card title="Permissions">
        <p className="pb-2 text-muted">Name and email address (always requested)</p>
        {bucketsAmong(offers).map((bucket) => (
          <fieldset key={bucket} className={`${line} items-center`}>
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
                  defaultChecked={selected.includes(access)}
                  label={<span className="font-normal">{sentences[access] ?? accessSentences[access]}</span>}
                  className="items-center! max-sm:min-h-12"
                />
              ))}
          </fieldset>
        ))}
        {offers.length === 0 ? (
          <p className="pt-3 text-muted">Countersign can’t request other data from {name}.</p>
        ) : null}
      </Card>
      {stale ? <p className="text-muted">We’ll ask you to sign in again. Your selection is kept.</p> : null}
      <div className="flex flex-wrap gap-3 max-sm:grid max-sm:grid-cols-[1fr_auto]">
        <Button type="submit" variant="primary" className="max-sm:min-h-12">
          Continue to {name}
        </Button>
        <CancelLink account={account?.id} />
      </div>
      <Disclosure label="How linking works">
        <p className="max-w-[68ch] pt-1 text-muted">
          {name} asks which account to link and which access to allow. Afterward, you choose the apps that can see the
          account. We encrypt the credentials from {name} and never show them. You can’t use the account to sign in to
          Countersign.
        </p>
      </Disclosure>
    </form>
  );
}

const line = "grid grid-cols-2 gap-x-4 py-1 sm:grid-cols-[10rem_1fr_1fr]";

/** Shorter sentences than `accessSentences`, for this form only. */
const sentences: Partial<Record<Access, string>> = { "mail.write": "Send mail" };
