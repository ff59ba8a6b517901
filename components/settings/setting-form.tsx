"use client";
import Link from "next/link";
import { useId } from "react";
import { actAddress } from "@/components/acts/send";
import { SubmitButton } from "@/components/ui/submit-button";
import type { Settings } from "@/lib/owners/schema";
import { type Setting, useSetting } from "./use-setting";

/** What every setting has. `saved` is what is kept, as the form sends it. */
export type SettingProps = {
  setting: keyof Settings;
  label: string;
  hint?: React.ReactNode;
  saved: readonly string[];
};

/** What the control of a setting is given. */
export type Control = Pick<Setting, "values" | "change"> & {
  /** Joins it with its words. */
  labelled: { "aria-labelledby": string; "aria-describedby": string };
};

type SettingFormProps = SettingProps & {
  control: (control: Control) => React.ReactNode;
  /** Whether the control has a button of its own that sends the form where there are no scripts. */
  sends?: boolean;
  /** Its address in the page; the setting's own unless told. */
  id?: string;
};

const inks = { ok: "text-ok", danger: "text-danger", muted: "text-muted" };

/** One setting: its words, its control, and what became of the last change. Rows of this go by j and k. */
export function SettingForm({ setting, label, hint, saved, control, sends, id: place = setting }: SettingFormProps) {
  const { values, said, change } = useSetting(setting, saved);
  const id = useId();
  return (
    <form
      id={place}
      data-row
      tabIndex={-1}
      method="post"
      action={actAddress("setting.change")}
      onSubmit={(event) => {
        event.preventDefault();
        const sent = new FormData(event.currentTarget, (event.nativeEvent as SubmitEvent).submitter);
        change(sent.getAll("value").map(String));
      }}
      className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-2 py-3 first:pt-0 last:pb-0 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center"
    >
      <input type="hidden" name="setting" value={setting} />
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span id={`${id}-label`} className="font-medium">
            {label}
          </span>
          <span id={`${id}-said`} role="status" className={`text-xs font-medium ${inks[said?.tone ?? "muted"]}`}>
            {said?.words}
            {said?.signIn ? (
              <Link href={`${said.signIn}${encodeURIComponent(`#${place}`)}`} className="link ms-2">
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
