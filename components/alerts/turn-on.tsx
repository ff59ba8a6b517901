"use client";
import { useRouter } from "next/navigation";
import { useEffect, useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { type AlertsHere, alertsHere, checkIn, type NotOn, turnAlertsOn } from "./browser";

export type TurnOnProps = {
  ownerId: string;
  /** The service's VAPID key. */
  publicKey: string;
  /** Whether the service knows this browser, as far as the page knows. */
  known: boolean;
  /** Whether it tells the service that this browser is there. */
  checks?: boolean;
  onDone?: () => void;
  /** In its place once alerts are on here. */
  whenOn?: React.ReactNode;
};

/** The button that asks the browser's permission; or why there is none. */
export function TurnOn({ ownerId, publicKey, known, checks = false, onDone, whenOn }: TurnOnProps) {
  const router = useRouter();
  const [here, setHere] = useState<AlertsHere>();
  const [problem, setProblem] = useState<NotOn>();
  const [pending, start] = useTransition();
  useEffect(() => {
    const now = alertsHere(ownerId);
    if (known || now !== "on" || !checks) return setHere(now);
    // Removed elsewhere, ended with a session; or the session is new and the service has yet to hear of it.
    void checkIn(ownerId).then(() => {
      const after = alertsHere(ownerId);
      setHere(after);
      if (after === "on") router.refresh();
    });
  }, [known, ownerId, checks, router]);
  if (here === undefined) return null;
  if (here === "on") return whenOn;
  if (here === "no") return <p className="text-muted">This browser cannot show alerts.</p>;
  if (here === "install") return <HomeScreen />;
  if (here === "blocked")
    return (
      <p className="text-muted">
        This browser blocks notifications from here. Allow them in its settings for this site, then reload.
      </p>
    );
  return (
    <div className="grid justify-items-start gap-3">
      {problem ? (
        <Notice tone="danger">
          {problem.message}
          {problem.signIn ? (
            <Link href={problem.signIn} className="link ms-2">
              Sign in again
            </Link>
          ) : null}
        </Notice>
      ) : null}
      <Button
        variant="primary"
        pending={pending}
        onClick={() =>
          start(async () => {
            const why = await turnAlertsOn(ownerId, publicKey);
            setProblem(why);
            setHere(alertsHere(ownerId));
            if (why) return;
            onDone?.();
            router.refresh();
          })
        }
      >
        Turn on alerts here
      </Button>
    </div>
  );
}

/** On an iPhone or iPad alerts come with the installed app, and only the owner can install it. */
export const HomeScreen = () => (
  <p className="text-muted">
    On this device, first add Countersign to your Home Screen: tap <b className="text-text">Share</b>, then{" "}
    <b className="text-text">Add to Home Screen</b>, and open it from there.
  </p>
);
