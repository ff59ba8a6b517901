"use client";
import { type ComponentType, lazy, Suspense } from "react";
import { useHydrated } from "@/components/ui/use-hydrated";

/**
 * A component loaded when first shown, with no placeholder. The server's HTML lacks the component,
 * so this function is only for features that need scripts. It is smaller than `next/dynamic`.
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
 * A component loaded when first shown, which the server's HTML contains. The page waits for the
 * component's code, so this function is only for rare pages and states.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Loaded = lazy<ComponentType<Props>>(async () => ({ default: await load() }));
  return (props: Props) => <Loaded {...props} />;
}
