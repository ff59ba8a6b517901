"use client";
import { usePathname, useRouter } from "next/navigation";
import { lazy, Suspense, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { PaletteDialog } from "@/components/palette/palette-dialog";
import { Button } from "@/components/ui/button";
import { useModal } from "@/components/ui/use-modal";
import { pages } from "./go-to-page-keys";
import { boundKeys, everywhere, type KeyGroup, useKeys } from "./key-bindings";
import { type Opened, onOpenDialog } from "./open-global-dialog";

/** The shortcuts that work on every page, with the palette and the help. */
export function GlobalKeys() {
  const [open, setOpen] = useState<{ which: Opened; keys: KeyGroup[] }>();
  const router = useRouter();
  const path = usePathname();
  const going = useRef<string>(undefined);

  const show = useCallback((which: Opened) => setOpen({ which, keys: boundKeys() }), []);
  useEffect(() => onOpenDialog(show), [show]);
  const close = useCallback(() => setOpen(undefined), []);

  const go = useCallback(
    (href: string) => {
      const [to, place] = href.split("#");
      router.push(href);
      // Without a page change, moves the focus immediately. Otherwise, moves it after the next page
      // is rendered.
      if (to === window.location.pathname) arrive(place);
      else going.current = place ?? "main";
    },
    [router],
  );
  useLayoutEffect(() => {
    if (path && going.current) arrive(going.current);
    going.current = undefined;
  }, [path]);

  useKeys(everywhere, [
    {
      keys: "Mod+k",
      description: "Search and navigate",
      anywhere: true,
      // Reads the latest state, because a quick second press may come before this code runs again.
      run: () => setOpen((it) => (it ? undefined : { which: "palette", keys: boundKeys() })),
    },
    { keys: "?", description: "Keyboard shortcuts", run: () => show("help") },
    ...pages.map(({ key, href, label }) => ({ keys: `g ${key}`, description: `Go to ${label}`, run: () => go(href) })),
  ]);
  if (!open) return null;
  if (open.which === "help") return <HelpDialog keys={open.keys} onClose={close} />;
  return <PaletteDialog keys={open.keys} go={go} onClose={close} />;
}

function arrive(place = "main") {
  const there = document.getElementById(place);
  if (there && place !== "main") there.scrollIntoView();
  const target = there?.tabIndex === -1 ? there : document.getElementById("main");
  target?.focus({ preventScroll: true });
}

const Help = lazy(() => import("./shortcuts-help").then(({ Help }) => ({ default: Help })));

/**
 * The help dialog. It opens immediately, so that the next key press does not act on the page. Its
 * content loads on first use.
 */
function HelpDialog({ keys, onClose }: { keys: KeyGroup[]; onClose: () => void }) {
  const dialog = useModal(onClose);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="keys-title"
      className="max-h-[calc(100dvh-2rem)] w-[min(46rem,calc(100vw-2rem))] overflow-y-auto rounded-xl border border-line bg-raised p-5 text-ink shadow-float"
    >
      <h2 id="keys-title" tabIndex={-1} className="text-lg outline-none">
        Keyboard shortcuts
      </h2>
      <Suspense>
        <Help keys={keys} />
      </Suspense>
      <form method="dialog" className="mt-4 flex justify-end">
        <Button type="submit">Close</Button>
      </form>
    </dialog>
  );
}
