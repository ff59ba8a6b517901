"use client";
import { lazyComponent } from "@/components/layout/lazy-component";

const Offer = lazyComponent(() => import("./alerts-or-install-prompt").then((it) => it.EnableAlertsPrompt));

/**
 * Loads the code of the suggestions after the first answer, to keep the inbox's JavaScript small.
 */
export const LazyEnableAlertsPrompt = (props: React.ComponentProps<typeof Offer>) =>
  props.answered > 0 ? <Offer {...props} /> : null;
