"use client";
import { Doorway } from "@/components/layout/doorway";
import "./globals.css";

/** When even the frame of the page failed. A link rather than a button: it works whatever state the scripts are in. */
export default function FailedWhole() {
  return (
    <html lang="en">
      <body>
        <title>Something failed · Countersign</title>
        <Doorway title="The service did not answer" lead="Nothing you did is lost. Please try again in a moment.">
          <a href="/" className="link">
            Start again
          </a>
        </Doorway>
      </body>
    </html>
  );
}
