"use client";
import { useSyncExternalStore } from "react";

const never = () => () => {};

/** Whether scripts run on this page: false in what the server sends and until it has been taken over. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
