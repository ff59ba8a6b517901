"use client";
import { createContext, useContext, useRef } from "react";
import { Button } from "@/components/ui/button";
import { type KeyBinding, useKeys } from "./key-bindings";
import { KeyCap } from "./key-caps";

const Heading = createContext("On this page");

/** The heading in the help for the keys of the controls inside. */
export const KeysHeading = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <Heading value={name}>{children}</Heading>
);

/** Binds keys without a control, under the heading of the surrounding `KeysHeading`. */
export const useSectionKeys = (bindings: readonly KeyBinding[]): void => useKeys(useContext(Heading), bindings);

/** A control's shortcut, with its description in the help and the palette. */
export type Shortcut = {
  shortcut: string;
  /** Without a description, neither the help nor the palette lists the key. */
  description?: string | undefined;
};

type Pressed<E> = (control: E, event: KeyboardEvent) => unknown;

/**
 * Binds a shortcut to a control while the control is mounted, and announces the shortcut. In a row
 * (`data-keyed-row`), the shortcut works only while the row has the focus. Inside `data-keys-off`,
 * it never works.
 * @param run by default, clicks the control; returns false to pass the key to earlier bindings
 * @returns the control's ref and attributes
 */
export function useShortcut<E extends HTMLElement>({ shortcut, description }: Partial<Shortcut>, run?: Pressed<E>) {
  const control = useRef<E>(null);
  const press = (event: KeyboardEvent) => {
    const it = control.current;
    const row = it?.closest("[data-keyed-row]");
    if (!it || it.matches(":disabled, [data-keys-off] *") || (row && !row.contains(document.activeElement)))
      return false;
    return run ? run(it, event) : it.click();
  };
  useSectionKeys(shortcut === undefined ? [] : [{ keys: shortcut, ...(description && { description }), run: press }]);
  return { ref: control, ...(shortcut !== undefined && { "aria-keyshortcuts": shortcut }) };
}

/** The shortcut of a page's search field. */
export const searchKey: Shortcut = { shortcut: "/", description: "Search" };

/**
 * Focuses a text box and selects its content, so that typing replaces it. Returns false if the box
 * is hidden.
 */
export function goTo(box: HTMLInputElement) {
  const fold = box.closest("details");
  if (fold) fold.open = true;
  if (!box.getClientRects().length) return false;
  box.focus();
  box.select();
}

type KeyButtonProps = React.ComponentProps<typeof Button> & Partial<Shortcut> & { cap?: boolean };

/** A button with a shortcut. */
export function KeyButton({ shortcut, description, cap = true, children, ...rest }: KeyButtonProps) {
  return (
    <Button {...rest} {...useShortcut<HTMLButtonElement>({ ...(shortcut !== undefined && { shortcut }), description })}>
      {cap && shortcut !== undefined ? <KeyCap>{shortcut}</KeyCap> : null}
      {children}
    </Button>
  );
}

type KeySummaryProps = Shortcut & Omit<React.ComponentProps<"summary">, "ref" | "className">;

/**
 * The summary of a collapsible section, styled as a text link. Its shortcut opens the section or,
 * if the section is open, focuses the section's text box.
 */
export function ShortcutSummary({ shortcut, description, children, ...rest }: KeySummaryProps) {
  const key = useShortcut<HTMLElement>({ shortcut, description }, (summary) => {
    const fold = summary.closest("details");
    if (fold?.open) fold.querySelector("textarea")?.focus();
    else summary.click();
  });
  return (
    <summary
      {...rest}
      {...key}
      className="inline-flex min-h-11 items-center gap-1 text-xs text-muted hover:text-ink sm:min-h-10"
    >
      {children}
    </summary>
  );
}
