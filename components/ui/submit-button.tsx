"use client";
import { useFormStatus } from "react-dom";
import { Button } from "./button";

/** The button that sends its form. A second press while the first is under way does nothing. */
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
