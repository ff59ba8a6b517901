import { hasCamera, NoCamera, scanQrCode, textOfFile } from "@/lib/lens/qr-reader";
import { requestInText } from "@/lib/lens/request-link";
import { button, element, notice } from "./elements";

/** Called with the text of a signing request. */
type Take = (request: string) => void;

/** Returns the form that takes a signing request: pasted, from a file or picture, or by camera. */
export function sources(take: Take): HTMLElement {
  const errors = element("div", { "aria-live": "assertive" });
  const fail = (error: unknown) =>
    errors.replaceChildren(notice("danger", error instanceof Error ? error.message : "Couldn’t read this. Try again."));
  const takeText = (text: string) => {
    errors.replaceChildren();
    if (text.trim()) take(requestInText(text));
    else fail(new Error("Paste the signing request first."));
  };
  return element("div", { class: "sources" }, camera(takeText, fail), file(takeText, fail), paste(takeText), errors);
}

function paste(takeText: Take): HTMLElement {
  const box = element("textarea", { id: "request", rows: "4", spellcheck: "false", autocomplete: "off" });
  box.addEventListener("input", (event) => {
    if ((event as InputEvent).inputType === "insertFromPaste") takeText(box.value);
  });
  return element(
    "div",
    { class: "source" },
    element("label", { for: "request" }, "Signing request, or its link"),
    box,
    button("Check the request", "secondary", () => takeText(box.value)),
  );
}

function file(takeText: Take, fail: (error: unknown) => void): HTMLElement {
  const input = element("input", {
    id: "file",
    type: "file",
    accept: "image/*,.json,.txt,application/json,text/plain",
  });
  input.addEventListener("change", () => {
    const [chosen] = input.files ?? [];
    if (chosen) textOfFile(chosen).then(takeText, fail);
    input.value = "";
  });
  return element(
    "div",
    { class: "source" },
    element("label", { for: "file" }, "File, or picture of the QR code"),
    input,
  );
}

function camera(takeText: Take, fail: (error: unknown) => void): HTMLElement {
  if (!hasCamera())
    return notice(
      "info",
      "This browser offers no camera to this page. Choose a picture of the QR code, or paste the request.",
    );
  const video = element("video", { muted: true, playsinline: true, hidden: true, "aria-label": "Camera" });
  let running: AbortController | undefined;
  const stop = button("Stop the camera", "secondary", () => running?.abort());
  stop.hidden = true;
  const start = button("Scan the QR code", "primary", async () => {
    running = new AbortController();
    const show = (on: boolean) => {
      video.hidden = stop.hidden = !on;
      start.hidden = on;
    };
    show(true);
    try {
      const text = await scanQrCode(video, running.signal);
      if (text !== undefined) takeText(text);
    } catch (error) {
      fail(error instanceof NoCamera ? error : new NoCamera("The camera stopped. Try again."));
    }
    show(false);
  });
  return element("div", { class: "source" }, start, video, stop);
}
