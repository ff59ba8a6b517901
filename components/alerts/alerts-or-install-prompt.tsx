"use client";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { alertsHere, declined, isApplePhone, isInstalled } from "./push-subscription";
import { installPrompt } from "./service-worker-registration";
import { HomeScreen, TurnOn, type TurnOnProps } from "./turn-on-alerts";

type OfferProps = Omit<TurnOnProps, "known" | "onDone"> & {
  /** The number of answered questions that the page knows of. */
  answered: number;
  /** Whether the owner declined alerts in the service's own first question. */
  later: boolean;
};
type OfferKind = "alerts" | "install" | "home-screen";

const dismissed = (kind: OfferKind) => (kind === "alerts" ? declined : `countersign.offer.${kind}`);

/**
 * Shows one suggestion at a time under the list, until the owner accepts or dismisses it. The page
 * suggests alerts after the first answer, and installing after the third.
 */
export function EnableAlertsPrompt({ answered, later, ...rest }: OfferProps) {
  const [kind, setKind] = useState<OfferKind>();
  useEffect(() => {
    if (later) localStorage.setItem(declined, "1");
    const choose = () => setKind(offerFor(answered, rest.ownerId));
    choose();
    window.addEventListener("countersign-installable", choose);
    return () => window.removeEventListener("countersign-installable", choose);
  }, [answered, later, rest.ownerId]);
  if (!kind) return null;
  const away = () => {
    localStorage.setItem(dismissed(kind), "1");
    setKind(undefined);
  };
  return (
    <section aria-label="Suggestion" className="m-4 grid gap-3 rounded-xl border border-line bg-raised p-4">
      {kind === "alerts" ? (
        <>
          <p className="font-semibold">Get an alert when an app asks a question</p>
          <p className="text-muted">
            Alerts arrive even when Countersign is closed. By default, they name only the app.
          </p>
          <TurnOn {...rest} known={false} onDone={() => setKind(undefined)} />
        </>
      ) : (
        <>
          <p className="font-semibold">Install Countersign</p>
          {kind === "home-screen" ? (
            <HomeScreen />
          ) : (
            <>
              <p className="text-muted">Countersign opens in its own window, with a badge for pending questions.</p>
              <Button variant="primary" className="justify-self-start" onClick={() => void install().then(away)}>
                Install
              </Button>
            </>
          )}
        </>
      )}
      <Button variant="quiet" size="small" className="justify-self-start" onClick={away}>
        Not now
      </Button>
    </section>
  );
}

function offerFor(answered: number, ownerId: string): OfferKind | undefined {
  const open = (kind: OfferKind) => localStorage.getItem(dismissed(kind)) === null;
  if (answered >= 1 && open("alerts") && alertsHere(ownerId) === "off") return "alerts";
  if (answered < 3 || isInstalled()) return undefined;
  if (installPrompt.event && open("install")) return "install";
  return isApplePhone() && open("home-screen") ? "home-screen" : undefined;
}

async function install() {
  await installPrompt.event?.prompt();
  delete installPrompt.event;
}
