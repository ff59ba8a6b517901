"use client";
import { lazyComponent } from "@/components/layout/lazy-component";

/** Loads the button that adds a passkey only where the list shows it. */
export const AddPasskey = lazyComponent(() => import("./add-passkey-form").then((it) => it.PasskeyForm));
