"use client";
import { CommandEmpty, CommandInput, CommandList, CommandRoot } from "cmdk";
import { useEffect, useRef, useState } from "react";
import { actionUrl, sendAction } from "@/components/actions/send-action";
import { everywhere, type KeyBinding, type KeyGroup, named } from "@/components/keyboard/key-bindings";
import { Accounts, Entry, Group, Pages, type PaletteResults, Questions, SettingsSections } from "./palette-entries";
import { box, PaletteSearchBox } from "./palette-search-box";

type PaletteProps = {
  /** The page's key bindings when the palette opened. */
  keys: KeyGroup[];
  words: string;
  onWords: (words: string) => void;
  go: (href: string) => void;
  close: () => void;
};

const pauseMs = 150;

/**
 * The palette's search box and results: questions, commands, pages, apps, accounts and settings.
 */
export function Palette({ keys, words, onWords, go, close }: PaletteProps) {
  const found = useFound(words);
  const out = useRef<HTMLFormElement>(null);
  const stop = useRef<HTMLFormElement>(null);
  const to = (href: string) => () => {
    close();
    go(href);
  };
  // Runs the command after the dialog has closed and the focus is restored.
  const press = (binding: KeyBinding) => () => {
    close();
    setTimeout(() => binding.run(new KeyboardEvent("keydown")));
  };
  return (
    <>
      <CommandRoot
        label="Search and navigate"
        loop
        filter={fits}
        vimBindings={false}
        className="flex max-h-[min(32rem,calc(100dvh-1rem))] flex-col"
      >
        <PaletteSearchBox close={close}>
          <CommandInput value={words} onValueChange={onWords} maxLength={200} {...box} />
        </PaletteSearchBox>
        <div role="status">
          {found.words === words ? (
            <CommandEmpty className="px-3 py-6 text-center text-muted">No results</CommandEmpty>
          ) : null}
        </div>
        <CommandList label="Results" className="scroll-py-2 overflow-y-auto p-2">
          <Questions found={found} to={to} />
          {actionsOf(keys).map(({ name, bindings }) => (
            <Group key={name} heading={name}>
              {bindings.map((binding) => (
                <Entry
                  key={binding.keys}
                  value={`${name} ${binding.description}`}
                  onSelect={press(binding)}
                  binding={binding}
                >
                  {binding.description}
                </Entry>
              ))}
            </Group>
          ))}
          <Pages to={to} />
          {found.apps.length > 0 ? (
            <Group heading="Your apps">
              {found.apps.map(({ clientId, name }) => (
                <Entry key={clientId} value={`app ${name} ${clientId}`} onSelect={to(`/apps/${clientId}`)}>
                  {name}
                </Entry>
              ))}
            </Group>
          ) : null}
          <Accounts found={found} to={to} />
          <SettingsSections words={words} to={to} />
          <Group heading="Account">
            <Entry
              value="freeze all apps stop kill switch unfreeze"
              keywords={["emergency block"]}
              onSelect={() => stop.current?.requestSubmit()}
            >
              Freeze all apps
            </Entry>
            <Entry value="sign out leave log out" onSelect={() => out.current?.requestSubmit()}>
              Sign out
            </Entry>
          </Group>
        </CommandList>
      </CommandRoot>
      <form ref={out} action="/sign-out" method="post" />
      <form ref={stop} action={actionUrl("freeze.begin")} method="post" />
    </>
  );
}

/**
 * Rates an item for the typed words. Returns 1 if the name contains all words, 0.5 if the name and
 * the keywords together do, and 0 otherwise.
 */
function fits(value: string, typed: string, keywords: string[] = []): number {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const name = value.toLowerCase();
  const subject = `${name} ${keywords.join(" ").toLowerCase()}`;
  if (words.every((word) => name.includes(word))) return 1;
  return words.every((word) => subject.includes(word)) ? 0.5 : 0;
}

/**
 * Returns this page's commands. Excludes global commands, which are listed elsewhere, and digit
 * keys, which make sense only next to their options.
 */
const actionsOf = (keys: KeyGroup[]): KeyGroup[] =>
  named(keys)
    .filter(({ name }) => name !== everywhere)
    .map(({ name, bindings }) => ({ name, bindings: bindings.filter(({ keys }) => !/[1-9]$/.test(keys)) }))
    .filter(({ bindings }) => bindings.length > 0);

/**
 * Returns the server's results for the latest query. The request starts a moment after the last key
 * press.
 */
function useFound(words: string): PaletteResults {
  const [found, setFound] = useState<PaletteResults>({ words: "", questions: [], apps: [], accounts: [] });
  const searches = useRef(0);
  useEffect(() => {
    const mine = ++searches.current;
    const timer = setTimeout(
      async () => {
        const result = await sendAction("palette.find", new URLSearchParams({ words })).catch(() => undefined);
        if (mine !== searches.current) return;
        if (result?.ok && result.value) setFound({ words, ...result.value });
        else setFound(({ apps, accounts }) => ({ words, questions: [], apps, accounts }));
      },
      words === "" ? 0 : pauseMs,
    );
    return () => clearTimeout(timer);
  }, [words]);
  return words === "" ? { ...found, questions: [] } : found;
}
