import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import type { AccountDetails } from "@/lib/integrations/accounts";
import { bucketsAmong, kinds, kindWords, providerWords } from "./words";

type JustLinkedProps = { account: AccountDetails; again: boolean; children: React.ReactNode };

/** Back from the provider: which account it was, what it gives and what not, and who may see it. */
export function JustLinked({ account, again, children }: JustLinkedProps) {
  const { id, email, kind, providerName, buckets, granted, missing } = account;
  const at = kind === "mail" ? "" : ` at ${providerName}`;
  return (
    <>
      <Notice tone="ok" title={`${again ? "Connected" : "Linked"} ${email}${at}${again ? " again" : ""}`}>
        <p>It gives: {buckets.map((bucket) => kindWords(bucket, granted)).join(", ")}.</p>
        {missing.length > 0 ? (
          <p>
            <span className="font-medium">
              Not granted, though you asked for it:{" "}
              {bucketsAmong(missing)
                .map((bucket) => kinds[bucket])
                .join(", ")}
              .
            </span>{" "}
            The account works all the same; below you can ask {providerWords(account)} once more.
          </p>
        ) : null}
      </Notice>
      <Card id="apps" title="Which apps may see it?">
        {children}
        <p className="mt-4">
          <ButtonLink href={`/integrations/${id}`} variant="primary" className="max-sm:min-h-12 max-sm:w-full">
            Done
          </ButtonLink>
        </p>
      </Card>
    </>
  );
}
