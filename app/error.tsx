"use client";
import { Doorway } from "@/components/layout/doorway";
import { Button } from "@/components/ui/button";

export default function Failed({ error, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  return (
    <Doorway title="This page did not come through" lead="Nothing you did is lost. It was our fault, not yours.">
      {error.digest ? (
        <p className="text-muted">
          For the log: <span className="mono">{error.digest}</span>
        </p>
      ) : null}
      <Button variant="primary" size="wide" onClick={() => retry()}>
        Try again
      </Button>
    </Doorway>
  );
}
