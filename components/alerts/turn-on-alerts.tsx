"use client";
import { useRouter } from "next/navigation";
import { useEffect, useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { type AlertsHere, alertsHere, checkIn, type NotOn, turnAlertsOn } from "./push-subscription";

export type TurnOnProps = {
  ownerId: string;
  /** The service's VAPID key. */
  publicKey: string;
  /** Whether this browser was registered when the page was rendered. */
  known: boolean;
  /** Whether to report this browser if it has alerts on but is not `known`. */
  checks?: boolean;
  onDone?: () => void;
  /** Shown instead of the button once alerts are on here. */
  whenOn?: React.ReactNode;
};

/**
 * The button that turns on alerts in this browser. Shows `whenOn` if alerts are on, or explains why
 * they can't be turned on.
 */
export function TurnOn({ ownerId, publicKey, known, checks = false, onDone, whenOn }: TurnOnProps) {
  const router = useRouter();
  const [here, setHere] = useState<AlertsHere>();
  const [problem, setProblem] = useState<NotOn>();
  const [pending, start] = useTransition();
  useEffect(() => {
    const now = alertsHere(ownerId);
    if (known || now !== "on" || !checks) return setHere(now);
    // The server doesn't list this browser. It was removed elsewhere, its session ended, or its new
    // session is not reported yet.
    void checkIn(ownerId).then(() => {
      const after = alertsHere(ownerId);
      setHere(after);
      if (after === "on") router.refresh();
    });
  }, [known, ownerId, checks, router]);
  if (here === undefined) return null;
  if (here === "on") return whenOn;
  if (here === "no") return <p className="text-muted">This browser doesn’t support alerts.</p>;
  if (here === "install") return <HomeScreen />;
  if (here === "blocked")
    return (
      <p className="text-muted">
        This browser blocks notifications from Countersign. Allow notifications for this site in the browser’s settings,
        then reload.
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
        Turn on alerts in this browser
      </Button>
    </div>
  );
}

/** On iPhone and iPad, alerts require the installed app, and only the owner can install it. */
export const HomeScreen = () => (
  <p className="text-muted">
    On this device, first add Countersign to your Home Screen. Tap <b className="text-ink">Share</b>, then{" "}
    <b className="text-ink">Add to Home Screen</b>. Then open Countersign from the Home Screen.
  </p>
);
