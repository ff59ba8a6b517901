"use client";
import { ErrorPage } from "@/components/layout/error-page";
import "./globals.css";

/** When even the frame of the page failed. A link rather than a button: it works whatever state the scripts are in. */
export default function FailedWhole() {
  return (
    <html lang="en">
      <body>
        <title>Something failed · Countersign</title>
        <ErrorPage title="The service did not answer">
          <p className="text-muted">Nothing you did is lost. Please try again in a moment.</p>
          <a href="/" className="link">
            Start again
          </a>
        </ErrorPage>
      </body>
    </html>
  );
}
