"use client";
import { Notice } from "@/components/ui/notice";
import { useConnection } from "./live-state";

/**
 * What can only be done with a connection. Without one it shows, says why not, and does nothing: an answer that was kept and
 * sent later would be one to a question that may have changed.
 */
export function WhileConnected({ children }: { children: React.ReactNode }) {
  const offline = useConnection() === "offline";
  return (
    <div
      className="contents"
      data-offline={offline || undefined}
      onSubmitCapture={(event) => {
        if (!offline) return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      {offline ? (
        <Notice tone="warn" title="You are offline">
          You can answer when you are back. What you have typed is kept.
        </Notice>
      ) : null}
      <fieldset disabled={offline} className="contents">
        {children}
      </fieldset>
    </div>
  );
}
