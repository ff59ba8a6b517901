"use client";
import { useState } from "react";
import { Button, type ButtonVariant } from "./button";
import { CheckIcon, CopyIcon } from "./icons";

type CopyButtonProps = { text: string; label?: string; variant?: ButtonVariant };

/** Puts a text on the clipboard and says so. Where the browser refuses, it says that instead. */
export function CopyButton({ text, label = "Copy", variant = "secondary" }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<"" | "Copied" | "Select and copy by hand">("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome("Copied");
    } catch {
      setOutcome("Select and copy by hand");
    }
    setTimeout(() => setOutcome(""), 3000);
  };
  return (
    <Button size="small" variant={variant} onClick={copy}>
      {outcome === "Copied" ? <CheckIcon className="size-4" /> : <CopyIcon className="size-4" />}
      <span aria-live="polite">{outcome || label}</span>
    </Button>
  );
}
