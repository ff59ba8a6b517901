import { type LensCredential, type LensMessage, type LensSignature, lensMessage } from "@/lib/lens/lens-messages";

/** Thrown if the lens can't be opened or the owner closes it. The message is a sentence for the owner. */
export class LensClosed extends Error {}

type AskLens = {
  /** The lens's URL. Only its origin gets the request. */
  lens: string;
  /** The signing request as text. */
  request: string;
  /** The owner's passkeys. */
  credentials: LensCredential[];
  /** Ends the wait, and closes the lens. */
  stop?: AbortSignal;
};

/**
 * Opens the lens in a new window, and returns the signature that the owner gives there. Call this
 * function directly in a handler of a press, because browsers block other windows.
 * @throws {LensClosed} if the browser blocks the window, or the lens closes without a signature
 */
export function askLens({ lens, request, credentials, stop }: AskLens): Promise<LensSignature> {
  const { origin } = new URL(lens);
  const opened = window.open(lens, "_blank", "popup,width=480,height=860");
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      window.removeEventListener("message", receive);
      stop?.removeEventListener("abort", cancel);
      clearInterval(watch);
      settle();
    };
    const fail = (sentence: string) => end(() => reject(new LensClosed(sentence)));
    const cancel = () => {
      opened?.close();
      fail("The lens was closed before you signed.");
    };
    const receive = ({ source, origin: from, data }: MessageEvent) => {
      if (!opened || source !== opened || from !== origin) return;
      const message = lensMessage(data);
      if (message?.type === "countersign-lens-ready")
        opened.postMessage({ type: "countersign-signing-request", request, credentials } satisfies LensMessage, origin);
      if (message?.type === "countersign-signature") end(() => resolve(message.signature));
    };
    const watch = setInterval(() => opened?.closed && fail("The lens was closed before you signed."), 500);
    window.addEventListener("message", receive);
    stop?.addEventListener("abort", cancel);
    if (!opened) fail("The browser blocked the lens’s window. Allow pop-up windows for this page, and press again.");
  });
}
