"use client";
import { useEffect, useRef } from "react";
import { useAction } from "@/components/actions/use-action";
import { Button } from "@/components/ui/button";
import { Field, TextInput } from "@/components/ui/fields/field";

type DeviceCodeFormProps = {
  /** The initial code, from the device's link or from an earlier attempt. */
  code: string;
  wrong: boolean;
};

const wrongCode = "The code is wrong or has expired. Check the code on your device.";

/** The form for a device's code. With scripts, errors appear in place. */
export function DeviceCodeForm({ code, wrong }: DeviceCodeFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const { result, pending, to } = useAction("consent.enter-code", "", { url: "/device/enter", leaves: true });
  const why = result ? !result.ok && result.message.replace(/\.?$/, ".") : wrong && wrongCode;
  const refused = !pending && why ? why : undefined;
  useEffect(() => {
    if (result) form.current?.querySelector("input")?.select();
  }, [result]);

  return (
    <form ref={form} {...to} className="grid gap-5">
      <Field
        label="Code"
        name="user_code"
        hint={
          code && !wrong
            ? "Is this the code on your device? Continue only if you started this request yourself."
            : "Enter eight letters, in upper or lower case. The dash is optional."
        }
        {...(refused && { error: refused })}
      >
        <TextInput
          defaultValue={code}
          required
          autoFocus={!code || wrong}
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
      <Button type="submit" variant="primary" size="wide" pending={pending}>
        Continue
      </Button>
    </form>
  );
}
