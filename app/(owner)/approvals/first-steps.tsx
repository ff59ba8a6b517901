import { Steps } from "@/components/practice/steps";
import { SwitchSetting } from "@/components/settings/controls";
import { Button } from "@/components/ui/button";
import type { OwnerActor } from "@/lib/actor";
import { knownApps } from "@/lib/grants/known-apps";
import { linkedAccounts } from "@/lib/integrations/accounts";
import { hideFirstSteps } from "./practice/actions";

/** What a new owner may want to do first, until they have done with it. */
export async function FirstSteps({ owner, singleKeys }: { owner: OwnerActor; singleKeys: boolean }) {
  const [apps, accounts] = await Promise.all([knownApps(owner), linkedAccounts(owner)]);
  return (
    <section aria-label="First steps" className="@container mb-5">
      <div className="flex min-h-9 items-center justify-between gap-3">
        <h2 className="text-base">First steps</h2>
        <form action={hideFirstSteps}>
          <Button type="submit" variant="quiet" size="small" className="-mr-3">
            Hide these steps
          </Button>
        </form>
      </div>
      {/* No media query tells of a screen reader, so it is offered. */}
      <SwitchSetting
        setting="singleKeys"
        label="Single-key shortcuts"
        hint="Keys like 1, j and ? act at once. Switch them off if you use a screen reader or dictate."
        saved={[singleKeys ? "on" : "off"]}
      />
      <Steps
        ownerId={owner.ownerId}
        hasAccount={accounts.some(({ status }) => status !== "disconnected")}
        hasApp={apps.length > 0}
      />
    </section>
  );
}
