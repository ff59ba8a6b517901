"use client";
import { lazyComponent } from "@/components/layout/lazy-component";
import { useHydrated } from "@/components/ui/use-hydrated";

const PasskeyForm = lazyComponent(() => import("./passkey-form").then((it) => it.PasskeyForm));

/** Loads the button that adds a passkey only where it is shown next to the list. */
export const AddPasskey = (props: React.ComponentProps<typeof PasskeyForm>) =>
  useHydrated() ? <PasskeyForm {...props} /> : null;
