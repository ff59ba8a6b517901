"use client";
import { type ComponentType, lazy, Suspense } from "react";

/**
 * A component loaded when first shown, with no placeholder. Only for features that need scripts,
 * because its content is missing from the server's HTML. Lighter than `next/dynamic`.
 */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Loaded = lazy<ComponentType<Props>>(async () => ({ default: await load() }));
  return (props: Props) => (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}

/**
 * A component loaded when first shown that the server's HTML contains. The page waits for its code,
 * so it is only for rare pages and states.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Loaded = lazy<ComponentType<Props>>(async () => ({ default: await load() }));
  return (props: Props) => <Loaded {...props} />;
}
