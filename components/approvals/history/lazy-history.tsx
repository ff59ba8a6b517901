"use client";
import { lazyPart } from "@/components/layout/lazy-component";

/** The inbox's own page needs none of its code. */
export const History = lazyPart(() => import("./history").then((it) => it.History));
