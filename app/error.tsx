"use client";
import { ErrorPage } from "@/components/layout/error-page";

export default function Failed({ error, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  return (
    <ErrorPage title="This page didn’t load">
      <p className="text-muted">Your work is safe. The error is on our side.</p>
      {error.digest ? (
        <p className="text-muted">
          Error ID: <span className="mono">{error.digest}</span>
        </p>
      ) : null}
      <button
        type="button"
        onClick={() => retry()}
        className="min-h-12 rounded-lg bg-ink px-4 text-base font-medium text-on-ink hover:bg-ink-hover"
      >
        Try again
      </button>
    </ErrorPage>
  );
}
