"use client";
import { later } from "@/components/layout/later";
import { useAlive } from "@/components/ui/use-alive";

const PasskeyForm = later(() => import("./passkey-form").then((it) => it.PasskeyForm));

/** One button that makes a passkey, fetched where it is offered beside the list. */
export const AddPasskey = (props: React.ComponentProps<typeof PasskeyForm>) =>
  useAlive() ? <PasskeyForm {...props} /> : null;
