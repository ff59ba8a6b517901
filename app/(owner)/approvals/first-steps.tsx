import { Steps } from "@/components/practice/steps";
import { Button } from "@/components/ui/button";
import type { OwnerActor } from "@/lib/actor";
import { knownApps } from "@/lib/grants/known-apps";
import { linkedAccounts } from "@/lib/integrations/accounts";
import { hideFirstSteps } from "./practice/actions";

/** What a new owner may want to do first, until they have done with it. */
export async function FirstSteps({ owner }: { owner: OwnerActor }) {
  const [apps, accounts] = await Promise.all([knownApps(owner), linkedAccounts(owner)]);
  return (
    <section aria-label="First steps" className="grid gap-2">
      <Steps hasAccount={accounts.some(({ status }) => status !== "disconnected")} hasApp={apps.length > 0} />
      <form action={hideFirstSteps} className="justify-self-end">
        <Button type="submit" variant="quiet" size="small">
          Hide these steps
        </Button>
      </form>
    </section>
  );
}
