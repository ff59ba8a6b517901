"use client";
import { lazyComponent } from "@/components/layout/lazy-component";
import { useHydrated } from "@/components/ui/use-hydrated";

/** Loads the suggestions only when there is one, to keep the inbox light. */
const Offer = lazyComponent(() => import("./enable-prompt").then((it) => it.EnableAlertsPrompt));

export const LazyEnableAlertsPrompt = (props: React.ComponentProps<typeof Offer>) =>
  useHydrated() && props.answered > 0 ? <Offer {...props} /> : null;
