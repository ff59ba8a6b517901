"use client";
import { lazyComponent } from "@/components/layout/lazy";
import { useHydrated } from "@/components/ui/use-hydrated";

const TurnOn = lazyComponent(() => import("./turn-on").then((it) => it.TurnOn));

/** Loads the button that turns on alerts only where the list shows it. */
export const LazyTurnOn = (props: React.ComponentProps<typeof TurnOn>) =>
  useHydrated() ? <TurnOn {...props} /> : null;
