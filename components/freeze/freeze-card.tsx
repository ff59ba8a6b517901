import { ActionForm } from "@/components/actions/action-form";
import { FreshForms } from "@/components/owners/disabled-until-sign-in";
import { Card } from "@/components/ui/card";
import { SubmitButton } from "@/components/ui/submit-button";
import { ExactTime } from "@/components/ui/time/time-ago";
import type { Freeze } from "@/lib/freeze/freeze";

/** The requests that one app tried during a freeze. */
export type TriedByApp = { appId: string; name: string; tried: { title: string; count: number }[] };

type FreezeCardProps = { freeze: Freeze; apps: TriedByApp[]; fresh: boolean };

const by = { owner: "by you", app: "by the app itself", operator: "by the operator" };

/** One freeze: its beginning, what its apps tried since, and the button that ends it. */
export function FreezeCard({ freeze: { appId, by: who, since, name = "An app" }, apps, fresh }: FreezeCardProps) {
  const all = appId === "";
  return (
    <Card title={all ? "All apps" : name}>
      <p className="text-muted">
        Frozen {by[who]} since <ExactTime at={since} />.
      </p>
      <h3 className="mt-4 mb-1 text-sm font-semibold">Rejected requests since then</h3>
      {apps.length === 0 ? <p className="text-muted">None</p> : null}
      {apps.map((app) => (
        <section key={app.appId} aria-label={app.name} className="mt-2 first-of-type:mt-0">
          {all ? (
            <p className="font-medium">
              <bdi>{app.name}</bdi>
            </p>
          ) : null}
          <ul className="divide-y divide-line">
            {app.tried.map(({ title, count }) => (
              <li key={title} className="flex justify-between gap-4 py-1.5">
                {title}
                <span className="text-muted tabular-nums">{count.toLocaleString("en")}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
        <p className="max-w-[52ch] text-muted">
          {all ? "The apps" : "The app"} can continue immediately. Deadlines move by the time of the freeze.
        </p>
        <FreshForms fresh={fresh}>
          <ActionForm act="freeze.end" fields={{ clientId: appId }}>
            <SubmitButton size="small">{all ? "Unfreeze all apps" : "Unfreeze"}</SubmitButton>
          </ActionForm>
        </FreshForms>
      </div>
    </Card>
  );
}
