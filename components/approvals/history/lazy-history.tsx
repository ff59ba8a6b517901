"use client";
import { lazyPart } from "@/components/layout/lazy-component";

/** Loaded separately, because the page of pending questions needs none of this code. */
export const History = lazyPart(() => import("./history").then((it) => it.History));
