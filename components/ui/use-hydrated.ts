"use client";
import { useSyncExternalStore } from "react";

const never = () => () => {};

/** Whether scripts run on this page: false on the server and until hydration. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
