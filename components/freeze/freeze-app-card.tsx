import { ActionButton } from "@/components/actions/action-button";
import { Card } from "@/components/ui/card";
import { ButtonLink } from "@/components/ui/styled-links";

/** The control on an app's page that freezes this app. */
export const FreezeAppCard = ({ clientId, frozen }: { clientId: string; frozen: boolean }) => (
  <Card title="Freeze">
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="max-w-[60ch] text-muted">
        {frozen
          ? "This app is frozen. Its requests are rejected, and the deadlines of its questions stand still."
          : "A freeze stops this app until you unfreeze it. The app stays connected."}
      </p>
      {frozen ? (
        <ButtonLink href="/frozen" size="small">
          Review and unfreeze
        </ButtonLink>
      ) : (
        <ActionButton of="freeze.begin" with={{ clientId }} size="small">
          Freeze this app
        </ActionButton>
      )}
    </div>
  </Card>
);
