"use client";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, TextInput } from "@/components/ui/fields/field";

type DeviceCodeFormProps = {
  /** The initial code, from the device's link or an earlier attempt. */
  code: string;
  wrong: boolean;
};

const wrongCode = "That code is wrong or has expired. Check the code on your device.";

/** The form for a device's code. With scripts, errors are shown in place. */
export function DeviceCodeForm({ code, wrong }: DeviceCodeFormProps) {
  const [state, setState] = useState<"open" | "sending" | { refused: string }>(wrong ? { refused: wrongCode } : "open");
  const refused = typeof state === "object" ? state.refused : undefined;

  async function enter(event: React.SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (state === "sending") return;
    const form = event.currentTarget;
    setState("sending");
    const outcome = await send(form);
    setState(outcome);
    if (outcome !== "sending") form.querySelector("input")?.select();
  }

  return (
    <form action="/device/enter" method="post" onSubmit={enter} className="grid gap-5">
      <Field
        label="Code"
        name="user_code"
        hint={
          code && !wrong
            ? "Is this the code on your device? Continue only if you started this yourself."
            : "Eight letters. Not case-sensitive; the dash is optional."
        }
        {...(refused && { error: refused })}
      >
        <TextInput
          defaultValue={code}
          required
          maxLength={40}
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          placeholder="BCDF-GHJK"
          className="text-center font-mono text-lg! tracking-[0.12em] uppercase"
        />
      </Field>
      <p role="alert" className="sr-only">
        {refused}
      </p>
      <Button type="submit" variant="primary" size="wide" pending={state === "sending"}>
        Continue
      </Button>
    </form>
  );
}

/** Submits the code and opens the page it leads to. */
async function send(form: HTMLFormElement): Promise<"sending" | { refused: string }> {
  try {
    const body = new FormData(form);
    const reply = await fetch(form.action, { method: "POST", body, headers: { accept: "application/json" } });
    const answer: { redirectTo?: string; error?: string } = await reply.json();
    if (!reply.ok || !answer.redirectTo) return { refused: `${answer.error ?? "Something went wrong. Try again"}.` };
    location.assign(answer.redirectTo);
    return "sending";
  } catch {
    return { refused: "Couldn’t reach the server. Try again." };
  }
}
