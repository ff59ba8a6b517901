import { sha256 as sha256OfBytes } from "@noble/hashes/sha2.js";
import { type LensCredential, type LensMessage, lensMessage } from "@/lib/lens/lens-messages";
import { requestInFragment } from "@/lib/lens/request-link";
import { type CheckedRequest, RequestRefusal, readSigningRequest } from "@/lib/lens/signing-request";
import { button, card, element, notice } from "./elements";
import { shownRequest } from "./show-request";
import { cannotSign, NotSigned, signHere } from "./sign-here";
import { sources } from "./sources";

/*
 * The lens: one page without network access that shows what a passkey is about to sign. A request
 * arrives by paste, file, camera, the URL's fragment, or a message from the page that opened the
 * lens.
 */

// Some browsers offer no WebCrypto to a saved file. The lens needs only this digest.
if (!crypto.subtle) {
  const digest = async (_: string, bytes: Uint8Array) => sha256OfBytes(bytes).slice().buffer;
  Object.defineProperty(crypto, "subtle", { value: { digest } });
}

/** The page that opened the lens, and what it sent. */
type Opener = { window: Window; origin: string; credentials: LensCredential[] };

const main = document.querySelector("main") as HTMLElement;

function show(...shown: HTMLElement[]): void {
  main.replaceChildren(...shown);
  window.scrollTo(0, 0);
  main.querySelector<HTMLElement>("h1")?.focus();
}

function start(): void {
  main.classList.remove("wide");
  show(
    element("h1", { tabindex: "-1" }, "Check what you sign"),
    element(
      "p",
      { class: "muted lead" },
      "Your passkey signs a number, not a text. This page computes the number from the text, and shows both. It works without a network.",
    ),
    sources((text) => void open(text)),
  );
}

/** Checks a request, and shows it or the reason for its refusal. */
async function open(text: string, opener?: Opener): Promise<void> {
  try {
    const request = await readSigningRequest(text);
    if (opener && opener.origin !== request.issuer)
      throw new RequestRefusal(
        `This request names ${request.issuer}, but it came from a page of ${opener.origin}. Don’t sign.`,
      );
    const shown = await shownRequest(request, signing(request, opener));
    main.classList.add("wide");
    show(...shown, button("Check another request", "quiet", start));
  } catch (error) {
    const sentence =
      error instanceof RequestRefusal ? error.message : "Couldn’t read this signing request. Don’t sign.";
    main.classList.remove("wide");
    show(
      element("h1", { tabindex: "-1" }, "Refused"),
      notice("danger", sentence),
      button("Check another request", "secondary", start),
    );
  }
}

/** Returns the controls that sign here, or the reason why this page can't sign. */
function signing(request: CheckedRequest, opener: Opener | undefined): HTMLElement {
  const reason = cannotSign(request);
  if (reason !== undefined || !opener)
    return notice("info", reason ?? `To sign here, open the lens from ${request.issuer}.`);
  const status = element("div", { "aria-live": "assertive" });
  const press = button("Sign with your passkey", "primary", async () => {
    press.disabled = true;
    status.replaceChildren();
    try {
      const signature = await signHere(request, opener.credentials);
      opener.window.postMessage({ type: "countersign-signature", signature } satisfies LensMessage, request.issuer);
      press.hidden = true;
      status.replaceChildren(notice("info", "Signed. You can close this page."));
    } catch (error) {
      press.disabled = false;
      status.replaceChildren(
        notice("danger", error instanceof NotSigned ? error.message : "Nothing was signed. Try again."),
      );
    }
  });
  press.classList.add("arming");
  return card("sign", "Sign here", press, status);
}

function openFragment(): void {
  const request = requestInFragment(location.hash);
  if (request === undefined) return;
  // The question does not stay in the browser's history.
  history.replaceState(null, "", location.pathname + location.search);
  void open(request);
}

/**
 * Takes the first request from the page that opened the lens. That page could replace a later one
 * between the owner's reading and the press.
 */
function openMessage(opener: Window): void {
  const receive = ({ source, origin, data }: MessageEvent) => {
    const message = lensMessage(data);
    if (source !== opener || message?.type !== "countersign-signing-request") return;
    window.removeEventListener("message", receive);
    const credentials = Array.isArray(message.credentials) ? message.credentials : [];
    void open(String(message.request), { window: opener, origin, credentials });
  };
  window.addEventListener("message", receive);
  // The announcement contains nothing, so any page may receive it.
  opener.postMessage({ type: "countersign-lens-ready" } satisfies LensMessage, "*");
}

if (window.top !== window.self) {
  // A page around the lens could cover parts of it.
  show(notice("danger", "The lens doesn’t work inside another page. Open the lens in a window of its own."));
} else {
  start();
  openFragment();
  window.addEventListener("hashchange", openFragment);
  if (window.opener) openMessage(window.opener as Window);
}
