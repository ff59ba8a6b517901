"use client";
import { useEffect, useLayoutEffect, useState } from "react";
import type { KeyGroup } from "@/components/keyboard/key-bindings";
import { useModal } from "@/components/ui/use-modal";
import type { Palette } from "./palette";
import { box, PaletteSearchBox } from "./palette-search-box";

type PaletteDialogProps = { keys: KeyGroup[]; go: (href: string) => void; onClose: () => void };

let loaded: typeof Palette | undefined;

/**
 * The palette's dialog. It opens immediately, so that the next keys go to its search box and not to
 * the page. Its content loads on first use.
 */
export function PaletteDialog({ onClose, ...rest }: PaletteDialogProps) {
  const dialog = useModal(onClose);
  const [words, setWords] = useState("");
  const [Body, setBody] = useState<typeof Palette | undefined>(() => loaded);
  useEffect(() => {
    if (loaded) return;
    import("./palette").then(
      ({ Palette }) => {
        loaded = Palette;
        setBody(() => Palette);
      },
      () => dialog.current?.close(),
    );
  }, [dialog]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the box that comes with the body takes the place of the first one.
  useLayoutEffect(() => {
    dialog.current?.querySelector("input")?.focus();
  }, [Body, dialog]);
  // Updates the state at once, instead of on the dialog's event, so that the next ⌘K opens the
  // palette.
  const close = () => {
    dialog.current?.close();
    onClose();
  };
  return (
    <dialog
      ref={dialog}
      aria-label="Search and navigate"
      className="mt-[max(0.5rem,12dvh)] w-[min(38rem,calc(100vw-1rem))] overflow-hidden rounded-xl border border-line bg-raised p-0 text-ink shadow-float max-sm:mt-2"
    >
      {Body ? (
        <Body words={words} onWords={setWords} close={close} {...rest} />
      ) : (
        <PaletteSearchBox close={close}>
          <input
            aria-label="Search and navigate"
            value={words}
            onChange={(event) => setWords(event.target.value)}
            {...box}
          />
        </PaletteSearchBox>
      )}
    </dialog>
  );
}
