"use client";
import { useRouter } from "next/navigation";
import { useEffect, useId, useRef, useState } from "react";
import { useFlash } from "@/components/actions/flash-context";
import { actionUrl, sendAction } from "@/components/actions/send-action";
import { Link } from "@/components/ui/link";
import { SubmitButton } from "@/components/ui/submit-button";
import type { Choices, Settings } from "@/lib/owners/schema";
import type { ActionResult } from "@/lib/web/action-result";
import { choicesNow, choose } from "./preferences-provider";

/** The state of one setting's form: its values as sent, and the result of saving them. */
type Setting = {
  values: readonly string[];
  /** `signIn` is the sign-in URL, if saving requires a recent sign-in. */
  message: { tone: "ok" | "danger" | "muted"; words: string; signIn?: string | undefined } | undefined;
  change: (values: string[]) => void;
};

/** Props of every setting. `saved` is the stored value in the format of the form. */
export type SettingProps = {
  setting: keyof Settings;
  label: string;
  hint?: React.ReactNode;
  saved: readonly string[];
};

/** Props of a setting's control. */
type Control = Pick<Setting, "values" | "change"> & {
  /** Links the control to its label. */
  labelled: { "aria-labelledby": string; "aria-describedby": string };
};

type SettingFormProps = SettingProps & {
  control: (control: Control) => React.ReactNode;
  /** Whether the control has its own submit button for browsers without scripts. */
  sends?: boolean;
  /** The anchor on the page. By default, it is the setting's name. */
  id?: string;
};

const inks = { ok: "text-ink", danger: "text-danger", muted: "text-muted" };

/** One setting: its label, its control, and the result of the last change. */
export function SettingForm({ setting, label, hint, saved, control, sends, id: place = setting }: SettingFormProps) {
  const { values, message, change } = useSetting(setting, saved);
  const id = useId();
  return (
    <form
      id={place}
      data-row
      tabIndex={-1}
      method="post"
      action={actionUrl("setting.change")}
      onSubmit={(event) => {
        event.preventDefault();
        const sent = new FormData(event.currentTarget, (event.nativeEvent as SubmitEvent).submitter);
        change(sent.getAll("value").map(String));
      }}
      className={`grid gap-x-6 gap-y-2 py-3 first:pt-0 last:pb-0 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center ${
        // On phones, too, a switch is next to its label.
        sends ? "grid-cols-[minmax(0,1fr)_auto] items-center" : "grid-cols-[minmax(0,1fr)]"
      }`}
    >
      <input type="hidden" name="setting" value={setting} />
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span id={`${id}-label`} className="font-medium">
            {label}
          </span>
          <span id={`${id}-said`} role="status" className={`text-xs font-medium ${inks[message?.tone ?? "muted"]}`}>
            {message?.words}
            {message?.signIn ? (
              <Link href={`${message.signIn}${encodeURIComponent(`#${place}`)}`} className="link ms-2">
                Sign in again
              </Link>
            ) : null}
          </span>
        </p>
        {hint ? (
          <div id={`${id}-hint`} className="max-w-[60ch] text-muted">
            {hint}
          </div>
        ) : null}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {control({
          values,
          change,
          labelled: { "aria-labelledby": `${id}-label`, "aria-describedby": hint ? `${id}-hint` : `${id}-said` },
        })}
        {sends ? null : (
          <noscript>
            <SubmitButton size="small">Save</SubmitButton>
          </noscript>
        )}
      </div>
    </form>
  );
}

/**
 * Saves a setting when it changes. The new value applies immediately. If saving fails, the old
 * value returns, and `message` says why.
 * @param saved the stored value in the form's format
 */
function useSetting(setting: keyof Settings, saved: readonly string[]): Setting {
  const router = useRouter();
  const posted = useFlash("setting.change", setting);
  const [known, setKnown] = useState(saved);
  const [values, setValues] = useState(saved);
  const [message, setMessage] = useState<Setting["message"]>();
  const turn = useRef(0);
  const kept = useRef(saved);
  const shown = useRef(values);
  const saving = message?.tone === "muted";

  // The value changed elsewhere. (During a save, `saved` may be this page's own unsaved value: see
  // `choose`.)
  if (known.join() !== saved.join() && !saving) {
    setKnown(saved);
    setValues(saved);
  }
  useEffect(() => {
    kept.current = known;
  }, [known]);
  useEffect(() => {
    shown.current = values;
  }, [values]);
  useEffect(() => {
    if (message?.tone !== "ok") return;
    const timer = setTimeout(() => setMessage(undefined), 4000);
    return () => clearTimeout(timer);
  }, [message]);

  async function change(next: string[]) {
    if (next.join() === shown.current.join()) return;
    const mine = ++turn.current;
    setValues(next);
    apply(setting, next);
    setMessage({ tone: "muted", words: "Saving…" });
    const form = new URLSearchParams([["setting", setting], ...next.map((value) => ["value", value])]);
    const result = await save(form).catch(() => ({
      ok: false as const,
      message: "The server isn’t responding. Try again.",
    }));
    if (result?.ok) kept.current = next;
    if (mine !== turn.current) return;
    if (result?.ok) {
      setMessage({ tone: "ok", words: "Saved" });
      router.refresh();
      return;
    }
    setValues(kept.current);
    apply(setting, kept.current);
    setMessage(notSaved(result));
  }
  // Without scripts, the next page shows the result.
  const answer: Setting["message"] = posted
    ? posted.ok
      ? { tone: "ok", words: "Saved" }
      : notSaved(posted)
    : undefined;
  return { values, message: message ?? answer, change: (next) => void change(next) };
}

let before: Promise<unknown> = Promise.resolve();

/** Saves run one after another, because concurrent requests could arrive in the wrong order. */
function save(form: URLSearchParams) {
  const reply = before.then(() => sendAction("setting.change", form));
  before = reply.catch(() => {});
  return reply;
}

const notSaved = (result: Exclude<ActionResult, { ok: true }> | undefined): Setting["message"] => ({
  tone: "danger",
  words: `Couldn’t save the setting. ${result?.message ?? "Sign in again, then retry."}`,
  signIn: result?.signIn,
});

/** Applies a value that pages read in the browser, before the server has stored the value. */
function apply(setting: keyof Settings, [value = ""]: readonly string[]) {
  if (setting === "singleKeys") choose({ singleKeys: value === "on" });
  else if (setting in (choicesNow() ?? {})) choose({ [setting]: value } as Partial<Choices>);
}
