"use client";
import { lazyComponent } from "@/components/layout/lazy";
import { useHydrated } from "@/components/ui/use-hydrated";

const PasskeyForm = lazyComponent(() => import("./passkey-form").then((it) => it.PasskeyForm));

/** Loads the button that adds a passkey only where the list shows it. */
export const AddPasskey = (props: React.ComponentProps<typeof PasskeyForm>) =>
  useHydrated() ? <PasskeyForm {...props} /> : null;
