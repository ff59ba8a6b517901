"use client";
import { lazyComponent } from "@/components/layout/lazy";
import { useHydrated } from "@/components/ui/use-hydrated";

const TurnOn = lazyComponent(() => import("./turn-on").then((it) => it.TurnOn));

/** The button that turns alerts on, fetched where it is offered beside the list. */
export const LazyTurnOn = (props: React.ComponentProps<typeof TurnOn>) =>
  useHydrated() ? <TurnOn {...props} /> : null;
