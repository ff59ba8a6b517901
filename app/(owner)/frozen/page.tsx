import { ActionButton } from "@/components/actions/action-button";
import { FreezeCard, type TriedByApp } from "@/components/freeze/freeze-card";
import { Page } from "@/components/layout/page";
import { SignInAgainNotice } from "@/components/owners/sign-in-again-notice";
import { EmptyState } from "@/components/ui/empty-state";
import { operations } from "@/lib/api/operation-registry";
import { everyApp, listFreezes, readTried, type TriedRequests } from "@/lib/freeze/freeze";
import { requireOwner, signInAgainPath } from "@/lib/web/session";

export const metadata = { title: "Frozen apps" };

export default async function Frozen() {
  const owner = await requireOwner();
  const [freezes, tried, again] = await Promise.all([listFreezes(owner), readTried(owner), signInAgainPath("/frozen")]);
  const own = new Set(freezes.map(({ appId }) => appId));
  return (
    <Page title="Frozen apps" back={{ href: "/apps", label: "Apps" }}>
      {freezes.length > 0 ? (
        <>
          {owner.fresh ? null : <SignInAgainNotice path={again} />}
          <div className="grid gap-5">
            {freezes.map((freeze) => (
              <FreezeCard
                key={freeze.appId}
                freeze={freeze}
                fresh={owner.fresh}
                apps={byApp(
                  tried.filter(({ appId }) => (freeze.appId === everyApp ? !own.has(appId) : appId === freeze.appId)),
                )}
              />
            ))}
          </div>
        </>
      ) : (
        <EmptyState
          title="No app is frozen"
          action={
            <ActionButton of="freeze.begin" with={{}}>
              Freeze all apps
            </ActionButton>
          }
        >
          A freeze stops apps until you unfreeze them. Their requests are rejected, no question is answered, and
          deadlines stand still. Apps stay connected.
        </EmptyState>
      )}
    </Page>
  );
}

const titles = new Map<string, string>(operations.map(({ id, summary }) => [id, summary]));

function byApp(tried: TriedRequests[]): TriedByApp[] {
  const apps = new Map<string, TriedByApp>();
  for (const { appId, name, operation, count } of tried) {
    const app = apps.get(appId) ?? { appId, name, tried: [] };
    app.tried.push({ title: titles.get(operation) ?? "MCP request", count });
    apps.set(appId, app);
  }
  return [...apps.values()];
}
