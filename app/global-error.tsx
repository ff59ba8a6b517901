"use client";
import { ErrorPage } from "@/components/layout/error-page";
import "./globals.css";

/**
 * The page for a failed root layout. A link rather than a button, because it works without scripts.
 */
export default function FailedWhole() {
  return (
    <html lang="en">
      <body>
        <title>Server error · Countersign</title>
        <ErrorPage title="The server didn’t respond">
          <p className="text-muted">Your work is safe. Try again in a moment.</p>
          <a href="/" className="link">
            Reload
          </a>
        </ErrorPage>
      </body>
    </html>
  );
}
