"use client";
import { lazyComponent } from "@/components/layout/lazy-component";

const Offer = lazyComponent(() => import("./enable-prompt").then((it) => it.EnableAlertsPrompt));

/**
 * Loads the suggestions only once the owner has answered a question, which keeps the inbox's
 * JavaScript small.
 */
export const LazyEnableAlertsPrompt = (props: React.ComponentProps<typeof Offer>) =>
  props.answered > 0 ? <Offer {...props} /> : null;
