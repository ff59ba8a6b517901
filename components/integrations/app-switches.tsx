import Link from "next/link";
import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { AppIcon } from "@/components/ui/app-icon";
import { Switch } from "@/components/ui/fields/switch";
import type { AccountDetails } from "@/lib/integrations/accounts";

type AppSwitchesProps = { action: FormAction; id: string; apps: AccountDetails["apps"] };

/** Which connected apps are told of the account: a switch each, that acts at once. */
export function AppSwitches({ action, id, apps }: AppSwitchesProps) {
  return (
    <>
      <p className="text-muted">
        Apps you switch on read its address, whether it works and which kinds of data it gives. They never get its
        password or tokens, nor what is in it.
      </p>
      {apps.length === 0 ? (
        <p className="mt-3">
          No app is connected yet. One that you let in later asks you on the consent screen which accounts it may see.
        </p>
      ) : (
        <ul className="mt-2 divide-y divide-line">
          {apps.map(({ appId, name, sees }) => (
            <li key={appId} className="flex min-h-12 items-center justify-between gap-4 py-1">
              <Link
                href={`/apps/${appId}`}
                prefetch={false}
                className="flex min-h-11 min-w-0 items-center gap-3 font-medium hover:underline"
              >
                <AppIcon name={name} className="size-7" />
                <bdi>{name}</bdi>
              </Link>
              <ActionForm action={action} className="flex flex-wrap items-center justify-end gap-2">
                <input type="hidden" name="id" value={id} />
                <input type="hidden" name="clientId" value={appId} />
                <input type="hidden" name="on" value={sees ? "no" : "yes"} />
                <Switch checked={sees} label={`${name} sees it`} />
              </ActionForm>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
