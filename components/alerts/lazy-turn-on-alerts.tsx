"use client";
import { lazyComponent } from "@/components/layout/lazy-component";

/** Loads the button that turns on alerts only where the list shows it. */
export const LazyTurnOn = lazyComponent(() => import("./turn-on-alerts").then((it) => it.TurnOn));
