"use client";
import { useFormStatus } from "react-dom";
import { Button } from "./button";

/** A submit button that ignores presses while its form is pending. */
export function SubmitButton(props: Omit<React.ComponentProps<typeof Button>, "pending" | "type">) {
  const { pending } = useFormStatus();
  return (
    <Button
      {...props}
      type="submit"
      pending={pending}
      onClick={(event) => (pending ? event.preventDefault() : props.onClick?.(event))}
    />
  );
}
