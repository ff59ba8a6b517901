"use client";
import { Apology } from "@/components/layout/apology";
import { Button } from "@/components/ui/button";

export default function Failed({ error, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  return (
    <Apology title="This page did not load">
      <p className="text-muted">Nothing you did is lost. It was our fault, not yours.</p>
      {error.digest ? (
        <p className="text-muted">
          For the log: <span className="mono">{error.digest}</span>
        </p>
      ) : null}
      <Button variant="primary" size="wide" onClick={() => retry()}>
        Try again
      </Button>
    </Apology>
  );
}
