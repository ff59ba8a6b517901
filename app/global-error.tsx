"use client";
import { ErrorPage } from "@/components/layout/error-page";
import "./globals.css";

/**
 * The page shown when the root layout fails. It uses a link, because a button would need scripts.
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
