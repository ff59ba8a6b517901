"use client";
import { lazyComponent } from "@/components/layout/lazy";
import { useHydrated } from "@/components/ui/use-hydrated";

const PasskeyForm = lazyComponent(() => import("./passkey-form").then((it) => it.PasskeyForm));

/** One button that makes a passkey, fetched where it is offered beside the list. */
export const AddPasskey = (props: React.ComponentProps<typeof PasskeyForm>) =>
  useHydrated() ? <PasskeyForm {...props} /> : null;
