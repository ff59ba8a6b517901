"use client";
import { lazyComponent } from "@/components/layout/lazy-component";

/** The form that adds a passkey. Its code loads only on pages that show the form. */
export const AddPasskey = lazyComponent(() => import("./add-passkey-form").then((it) => it.PasskeyForm));
