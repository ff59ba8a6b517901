"use client";
import { type ComponentType, lazy, Suspense } from "react";
import { useHydrated } from "@/components/ui/use-hydrated";

/**
 * Loads a component when it is first shown, without a placeholder. The server's HTML lacks the
 * component, so use this function only for features that need scripts. It is smaller than
 * `next/dynamic`.
 */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Loaded = lazy<ComponentType<Props>>(async () => ({ default: await load() }));
  return (props: Props) =>
    useHydrated() ? (
      <Suspense>
        <Loaded {...props} />
      </Suspense>
    ) : null;
}

/**
 * Loads a component when it is first shown. The server's HTML contains the component, but the page
 * waits for its code, so use this function only for rare pages and states.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Loaded = lazy<ComponentType<Props>>(async () => ({ default: await load() }));
  return (props: Props) => <Loaded {...props} />;
}

/**
 * Loads a component when it is first shown. The server's HTML contains the component. If it is first
 * shown later, the rest of the page does not wait for its code, and stays if the code can't be
 * loaded. The component loses its state when the page becomes interactive.
 */
export function lazyView<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Loaded = lazy<ComponentType<Props>>(async () => ({ default: await load().catch(() => Nothing) }));
  return (props: Props) =>
    useHydrated() ? (
      <Suspense>
        <Loaded {...props} />
      </Suspense>
    ) : (
      <Loaded {...props} />
    );
}

const Nothing = () => null;
