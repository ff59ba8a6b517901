"use client";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, TextInput } from "@/components/ui/fields/field";

type DeviceCodeFormProps = {
  /** Already in the field: from the link that the device showed, or typed before. */
  code: string;
  wrong: boolean;
};

const wrongCode = "That code is wrong or has expired. Check the code on your device.";

/** The field for the code that a device shows. A plain form; with scripts a wrong code is told in place. */
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
            ? "Is this the code on your device? Go on only if you started this yourself."
            : "Eight letters. Capitals and the dash don’t matter."
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

/** Send the code and go where it leads. */
async function send(form: HTMLFormElement): Promise<"sending" | { refused: string }> {
  try {
    const body = new FormData(form);
    const reply = await fetch(form.action, { method: "POST", body, headers: { accept: "application/json" } });
    const answer: { redirectTo?: string; error?: string } = await reply.json();
    if (!reply.ok || !answer.redirectTo)
      return { refused: `${answer.error ?? "That did not work. Please try again"}.` };
    location.assign(answer.redirectTo);
    return "sending";
  } catch {
    return { refused: "The service could not be reached. Please try again." };
  }
}
