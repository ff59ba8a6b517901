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
  const hold = new Hold(form);
  const key: PressKey = (option, { code }) => {
    hold.begin(option);
    untilReleased(hold, option, code);
  };
  signal.addEventListener("abort", hold.end);
  holdByPointer(form, hold, signal);
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

/** The option that is held now, if there is one. */
class Hold {
  option: HTMLButtonElement | undefined;
  /** The release after a send must not press the option too. */
  sent = false;
  private timer: number | undefined;

  constructor(private readonly form: HTMLFormElement) {}

  begin(option: HTMLButtonElement): void {
    this.end();
    this.sent = false;
    if (option.matches(":disabled")) return;
    this.option = option;
    option.dataset.holding = "";
    this.timer = window.setTimeout(() => {
      this.end();
      this.sent = true;
      this.form.requestSubmit(option);
    }, holdMs);
  }

  readonly end = (): void => {
    clearTimeout(this.timer);
    this.option?.removeAttribute("data-holding");
    this.option = undefined;
  };
}

function holdByPointer(form: HTMLFormElement, hold: Hold, signal: AbortSignal): void {
  for (const type of ["pointerup", "pointercancel", "blur"]) window.addEventListener(type, hold.end, { signal });
  form.addEventListener(
    "pointerdown",
    (event) => {
      const option = optionOf(event);
      if (!option || event.button !== 0 || !event.isPrimary) return hold.end();
      // A finger that moves off the option leaves it, like a mouse.
      const target = event.target as Element;
      if (target.hasPointerCapture(event.pointerId)) target.releasePointerCapture(event.pointerId);
      hold.begin(option);
    },
    { signal },
  );
  form.addEventListener(
    "pointerout",
    ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && hold.option?.contains(relatedTarget))) hold.end();
    },
    { signal },
  );
  form.addEventListener("contextmenu", (event) => hold.option && event.preventDefault(), { signal });
  form.addEventListener(
    "click",
    (event) => {
      if (!hold.sent) return;
      hold.sent = false;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true, signal },
  );
}

/** Presses the option if its key is released early. */
function untilReleased(hold: Hold, option: HTMLButtonElement, code: string): void {
  // The next question may appear while the key is down, so the key's repeats are ignored there.
  const up = new AbortController();
  const until = { capture: true, signal: up.signal };
  const over = () => {
    up.abort();
    hold.end();
  };
  window.addEventListener(
    "keydown",
    (event) => {
      if (event.code !== code) hold.end();
      else if (event.repeat) event.preventDefault();
    },
    until,
  );
  window.addEventListener(
    "keyup",
    (event) => {
      if (event.code !== code) return;
      event.preventDefault();
      const short = hold.option === option;
      over();
      if (short) option.click();
    },
    until,
  );
  window.addEventListener("blur", over, until);
}

/** The option of an event: one that can be chosen, not the Send button. */
const optionOf = ({ target }: Event) =>
  target instanceof Element ? target.closest<HTMLButtonElement>("button[aria-pressed]") : null;
