"use client";
import { lazyComponent } from "@/components/layout/lazy-component";
import { useHydrated } from "@/components/ui/use-hydrated";

const TurnOn = lazyComponent(() => import("./turn-on").then((it) => it.TurnOn));

/** Loads the button that turns on alerts only where it is shown next to the list. */
export const LazyTurnOn = (props: React.ComponentProps<typeof TurnOn>) =>
  useHydrated() ? <TurnOn {...props} /> : null;
