import { ActForm } from "@/components/acts/act-form";
import { Steps } from "@/components/practice/steps";
import { SwitchSetting } from "@/components/settings/controls";
import { singleKeys } from "@/components/settings/rows";
import { Button } from "@/components/ui/button";
import type { OwnerActor } from "@/lib/actor";
import { knownApps } from "@/lib/grants/known-apps";
import { linkedAccounts } from "@/lib/integrations/accounts";

/** What a new owner may want to do first, until they have done with it. */
export async function FirstSteps({ owner, singleKeys: keysAct }: { owner: OwnerActor; singleKeys: boolean }) {
  const [apps, accounts] = await Promise.all([knownApps(owner), linkedAccounts(owner)]);
  return (
    <section aria-label="First steps" className="@container mb-5">
      <div className="flex min-h-9 items-center justify-between gap-3">
        <h2 className="text-base">First steps</h2>
        <ActForm act="setting.hide-first-steps">
          <Button type="submit" variant="quiet" size="small" className="-me-3">
            Hide these steps
          </Button>
        </ActForm>
      </div>
      {/* No media query tells of a screen reader, so it is offered; on phones there are hardly ever keys. */}
      <div className="max-sm:hidden">
        <SwitchSetting {...singleKeys} saved={[keysAct ? "on" : "off"]} />
      </div>
      <Steps
        ownerId={owner.ownerId}
        hasAccount={accounts.some(({ status }) => status !== "disconnected")}
        hasApp={apps.length > 0}
      />
    </section>
  );
}
