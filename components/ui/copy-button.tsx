"use client";
import { useState } from "react";
import { Button, type ButtonVariant } from "./button";
import { CheckIcon, CopyIcon } from "./icons";

type CopyButtonProps = { text: string; label?: string; variant?: ButtonVariant; className?: string };

/** Copies text to the clipboard and shows whether it worked. */
export function CopyButton({ text, label = "Copy", variant = "secondary", className = "" }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<"" | "Copied" | "Couldn’t copy. Select the text instead.">("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome("Copied");
    } catch {
      setOutcome("Couldn’t copy. Select the text instead.");
    }
    setTimeout(() => setOutcome(""), 3000);
  };
  return (
    <Button size="small" variant={variant} className={className} onClick={copy}>
      {outcome === "Copied" ? <CheckIcon className="size-4" /> : <CopyIcon className="size-4" />}
      <span aria-live="polite">{outcome || label}</span>
    </Button>
  );
}
