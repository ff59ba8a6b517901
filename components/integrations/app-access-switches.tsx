import { ActionForm } from "@/components/actions/action-form";
import { AppIcon } from "@/components/ui/app-icon";
import { Card } from "@/components/ui/card";
import { Switch } from "@/components/ui/fields/switch";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { ButtonLink } from "@/components/ui/styled-links";
import type { AccountDetails } from "@/lib/integrations/accounts";
import { bucketsAmong, kinds, kindWords, providerWords } from "./account-text";

type AppSwitchesProps = { id: string; apps: AccountDetails["apps"]; hues: ReadonlyMap<string, number> };

/** A switch for each connected app, which immediately shows the account to the app or hides it. */
export function AppSwitches({ id, apps, hues }: AppSwitchesProps) {
  return (
    <>
      <p className="text-muted">
        Apps you choose can see the account’s email, provider, status and types of data, but never its password or
        contents.
      </p>
      {apps.length === 0 ? (
        <p className="mt-3">No connected apps yet. When you connect an app, you choose the accounts that it can see.</p>
      ) : (
        <ul className="mt-2">
          {apps.map(({ appId, name, sees }) => (
            <li key={appId} className="flex min-h-12 items-center justify-between gap-4 py-1">
              <Link
                href={`/apps/${appId}`}
                className="flex min-h-11 min-w-0 items-center gap-3 font-medium hover:underline"
              >
                <AppIcon name={name} hue={hues.get(appId)} className="size-7" />
                <bdi>{name}</bdi>
              </Link>
              <ActionForm
                act="app.share-account"
                fields={{ id, clientId: appId }}
                className="flex flex-wrap items-center justify-end gap-2"
              >
                <Switch checked={sees} label={`${name} can see this account`} />
              </ActionForm>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

type JustLinkedProps = { account: AccountDetails; again: boolean; children: React.ReactNode };

/**
 * Shown on return from the provider: the account, its granted and missing data types, and the apps
 * that may see it.
 */
export function JustLinked({ account, again, children }: JustLinkedProps) {
  const { id, email, kind, providerName, buckets, granted, missing } = account;
  const atProvider = kind === "mail" ? "" : ` (${providerName})`;
  return (
    <>
      <Notice tone="ok" title={`${again ? "Connected" : "Linked"} ${email}${atProvider}${again ? " again" : ""}`}>
        <p>Granted permissions: {buckets.map((bucket) => kindWords(bucket, granted)).join(", ")}.</p>
        {missing.length > 0 ? (
          <p>
            <span className="font-medium">
              Requested but missing:{" "}
              {bucketsAmong(missing)
                .map((bucket) => kinds[bucket])
                .join(", ")}
              .
            </span>{" "}
            The account still works. Below, you can request this data from {providerWords(account)} again.
          </p>
        ) : null}
      </Notice>
      <Card id="apps" title="Which apps can see this account?">
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
