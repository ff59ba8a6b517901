"use client";
import { lazyComponent } from "@/components/layout/lazy-component";

/** The button that turns on alerts. Its code loads only on pages that show the button. */
export const LazyTurnOn = lazyComponent(() => import("./turn-on-alerts").then((it) => it.TurnOn));
