"use client";
import { lazyComponent } from "@/components/layout/lazy-component";

/** The receipt check. Its code, with the QR reader, loads only on the page that shows it. */
export const LazyReceiptVerifier = lazyComponent(() => import("./receipt-verifier").then((it) => it.ReceiptVerifier));
