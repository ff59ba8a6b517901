import { type Fingerprint, fingerprintOf } from "@/lib/lens/fingerprint";
import type { CheckedRequest } from "@/lib/lens/signing-request";
import { card, descriptions, element, notice } from "./elements";
import { shownAnswer } from "./show-answer";
import { shownId, shownText, shownTime } from "./show-text";

/** How long the service accepts a signature of a request, in milliseconds. */
const lifetime = 300_000;

/**
 * Returns the page of a checked request: what a signature would say, and the fingerprint.
 * @param signing the controls for signing here, or the reason why the lens can't sign
 */
export async function shownRequest(request: CheckedRequest, signing: HTMLElement): Promise<HTMLElement[]> {
  const { answers, issuer } = request;
  const title =
    answers.length === 1 ? "Your signature would say" : `Your signature would answer ${answers.length} questions`;
  return [
    element(
      "div",
      { class: "column" },
      element("h1", { tabindex: "-1" }, title),
      // On a phone, the words follow the questions, which can be many screens long.
      element("a", { class: "to-words", href: "#fingerprint" }, "Go to the six words"),
      ...answers.map((answer, index) => shownAnswer(answer, { index, of: answers.length })),
    ),
    element(
      "aside",
      { class: "column side", "aria-label": "Fingerprint and origin" },
      shownFingerprint(await fingerprintOf(request.statement)),
      signing,
      card(
        "origin",
        "Who asks",
        descriptions([
          ["Service", shownText(issuer)],
          ["App", shownId(request.app)],
          ["Owner", shownId(request.owner)],
          ["Time", shownTime(request.offeredAt)],
        ]),
        ageOf(request),
      ),
      trustOf(issuer),
    ),
  ];
}

function shownFingerprint({ words, groups }: Fingerprint): HTMLElement {
  const list = words.map((word) => element("li", {}, element("span", { translate: "no" }, word)));
  return card(
    "fingerprint",
    "Compare six words",
    element("ol", { class: "words" }, ...list),
    element("p", { class: "groups", translate: "no" }, groups.join(" ")),
    element(
      "p",
      { class: "muted" },
      "The signing page must show the same words and digits. If one differs, don’t sign.",
    ),
  );
}

function ageOf({ offeredAt }: CheckedRequest): HTMLElement | undefined {
  const age = Date.now() - offeredAt;
  if (age > lifetime)
    return notice("warn", "This request is older than five minutes. The service no longer accepts it.");
  return age < -lifetime
    ? notice("warn", "This request’s time is in the future. Check this device’s clock.")
    : undefined;
}

/** Returns how far this copy of the lens can be trusted. */
function trustOf(issuer: string): HTMLElement {
  const { protocol, origin } = location;
  if (protocol !== "https:" && protocol !== "http:")
    return notice("info", "This is a saved lens. The service can’t change it.");
  return origin === issuer
    ? notice(
        "warn",
        "This lens comes from the service itself. A service that lies could change both pages. For proof, use a saved lens, or one from another origin.",
      )
    : notice("info", `This lens comes from ${origin}, not from the service.`);
}
