/** How long an option is held for it to be sent; app/globals.css draws it. */
const holdMs = 800;

/** What a key does that was pressed for an option. */
export type PressKey = (option: HTMLButtonElement, event: KeyboardEvent) => void;

/**
 * Sends an option of a form that is held: by a mouse, a finger, Enter, Space, or its own key. Let go sooner it is pressed, and so
 * chosen; left, scrolled away from or interrupted, nothing happened.
 * @param signal when what the form asks is not there any more
 */
export function pressAndHold(form: HTMLFormElement, signal: AbortSignal): PressKey {
  let held: HTMLButtonElement | undefined;
  let timer: number | undefined;
  // Who lets go after it was sent does not press it too.
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
    // The page may show the next question while the key is still down: there it repeats nothing.
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
      // A finger that moves off it has left it, as a mouse has.
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
      // Enter on what is chosen sends it: the form does that.
      if (name === "Enter" && !event.repeat && option.ariaPressed === "true") return;
      event.preventDefault();
      if (!event.repeat) key(option, event);
    },
    { signal },
  );
  return key;
}

/** The option that an event is about: one that can be chosen, not the button that sends what is. */
const optionOf = ({ target }: Event) =>
  target instanceof Element ? target.closest<HTMLButtonElement>("button[aria-pressed]") : null;
