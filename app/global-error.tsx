"use client";
import "./globals.css";

/**
 * The page shown when another page fails in the browser. Keep it small, because every page loads
 * its code.
 */
export default function Failed({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en">
      <body>
        <title>This page didn’t load · Countersign</title>
        <main className="mx-auto grid min-h-dvh w-full max-w-md content-center gap-4 px-4 py-8">
          <p className="font-semibold text-muted">Countersign</p>
          <h1 className="text-xl">This page didn’t load</h1>
          <p className="text-muted">An error occurred on our side. Try again in a moment.</p>
          {error.digest ? (
            <p className="text-muted">
              Error ID: <span className="mono">{error.digest}</span>
            </p>
          ) : null}
          <button type="button" onClick={() => location.reload()} className="link justify-self-start">
            Try again
          </button>
        </main>
      </body>
    </html>
  );
}
