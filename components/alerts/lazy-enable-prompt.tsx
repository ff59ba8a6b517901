"use client";
import { lazyComponent } from "@/components/layout/lazy";
import { useHydrated } from "@/components/ui/use-hydrated";

/** The offers, fetched when there is something to offer: the inbox opens without them. */
const Offer = lazyComponent(() => import("./enable-prompt").then((it) => it.EnableAlertsPrompt));

export const LazyEnableAlertsPrompt = (props: React.ComponentProps<typeof Offer>) =>
  useHydrated() && props.answered > 0 ? <Offer {...props} /> : null;
