/** How long an option must be held to be sent; app/globals.css draws the progress. */
const holdMs = 800;

/** Handles the key of an option. */
export type PressKey = (option: HTMLButtonElement, event: KeyboardEvent) => void;

/**
 * Sends an option of a form when it is held by a mouse, a finger, Enter, Space or its own key. An
 * early release presses the option, which chooses it. Leaving the option, scrolling or an
 * interruption cancels the hold.
 * @param signal aborted when the form's question is gone
 */
export function pressAndHold(form: HTMLFormElement, signal: AbortSignal): PressKey {
  let held: HTMLButtonElement | undefined;
  let timer: number | undefined;
  // The release after a send must not press the option too.
  let sent = false;

  const end = () => {
    clearTimeout(timer);
    held?.removeAttribute("data-holding");
    held = undefined;
  };
  const begin = (option: HTMLButtonElement) => {
    end();
    sent = false;
    if (option.matches(":disabled")) return;
    held = option;
    option.dataset.holding = "";
    timer = window.setTimeout(() => {
      end();
      sent = true;
      form.requestSubmit(option);
    }, holdMs);
  };
  const key: PressKey = (option, { code }) => {
    begin(option);
    // The next question may appear while the key is down, so the key's repeats are ignored there.
    const up = new AbortController();
    const until = { capture: true, signal: up.signal };
    const over = () => {
      up.abort();
      end();
    };
    window.addEventListener(
      "keydown",
      (event) => {
        if (event.code !== code) end();
        else if (event.repeat) event.preventDefault();
      },
      until,
    );
    window.addEventListener(
      "keyup",
      (event) => {
        if (event.code !== code) return;
        event.preventDefault();
        const short = held === option;
        over();
        if (short) option.click();
      },
      until,
    );
    window.addEventListener("blur", over, until);
  };

  signal.addEventListener("abort", end);
  for (const type of ["pointerup", "pointercancel", "blur"]) window.addEventListener(type, end, { signal });
  form.addEventListener(
    "pointerdown",
    (event) => {
      const option = optionOf(event);
      if (!option || event.button !== 0 || !event.isPrimary) return end();
      // A finger that moves off the option leaves it, like a mouse.
      const target = event.target as Element;
      if (target.hasPointerCapture(event.pointerId)) target.releasePointerCapture(event.pointerId);
      begin(option);
    },
    { signal },
  );
  form.addEventListener(
    "pointerout",
    ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && held?.contains(relatedTarget))) end();
    },
    { signal },
  );
  form.addEventListener("contextmenu", (event) => held && event.preventDefault(), { signal });
  form.addEventListener(
    "click",
    (event) => {
      if (!sent) return;
      sent = false;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true, signal },
  );
  form.addEventListener(
    "keydown",
    (event) => {
      const option = optionOf(event);
      const { key: name, ctrlKey, metaKey, altKey } = event;
      if (!option || (name !== "Enter" && name !== " ") || ctrlKey || metaKey || altKey) return;
      // The form handles Enter on a chosen option, which sends it.
      if (name === "Enter" && !event.repeat && option.ariaPressed === "true") return;
      event.preventDefault();
      if (!event.repeat) key(option, event);
    },
    { signal },
  );
  return key;
}

/** The option of an event: one that can be chosen, not the Send button. */
const optionOf = ({ target }: Event) =>
  target instanceof Element ? target.closest<HTMLButtonElement>("button[aria-pressed]") : null;
