"use client";
import { usePathname, useRouter } from "next/navigation";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Find } from "@/components/palette/palette";
import { PaletteDialog } from "@/components/palette/palette-dialog";
import { HelpDialog } from "./help-dialog";
import { boundKeys, everywhere, type KeyGroup, useKeys } from "./keys";
import { type Opened, onOpenDialog } from "./open";
import { pages } from "./pages";

/** The keys that every page has, the palette and the help. */
export function GlobalKeys({ find }: { find: Find }) {
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
      // Once what had the focus is gone with the page it was on, or at once where the page stays.
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
    { keys: "Mod+k", says: "Search, go to, do", anywhere: true, run: () => (open ? close() : show("palette")) },
    { keys: "?", says: "Keys", run: () => show("help") },
    ...pages.map(({ key, href, label }) => ({ keys: `g ${key}`, says: `Go to ${label}`, run: () => go(href) })),
  ]);
  if (!open) return null;
  if (open.which === "help") return <HelpDialog keys={open.keys} onClose={close} />;
  return <PaletteDialog keys={open.keys} find={find} go={go} onClose={close} />;
}

function arrive(place = "main") {
  const there = document.getElementById(place);
  if (there && place !== "main") there.scrollIntoView();
  const target = there?.tabIndex === -1 ? there : document.getElementById("main");
  target?.focus({ preventScroll: true });
}
