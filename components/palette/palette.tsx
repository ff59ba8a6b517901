"use client";
import { CommandEmpty, CommandGroup, CommandInput, CommandItem, CommandList, CommandRoot } from "cmdk";
import { useEffect, useRef, useState } from "react";
import { sendAction } from "@/components/actions/send";
import { KeyCaps } from "@/components/keys/key-caps";
import { everywhere, type KeyBinding, type KeyGroup, named } from "@/components/keys/keys";
import { pages } from "@/components/keys/pages";
import { findable, sections } from "@/components/settings/sections";
import type { ActOutput } from "@/lib/web/owner-actions";
import { box, TypingLine } from "./typing-line";

/** The server's results for these words. */
type Found = ActOutput<"palette.find"> & { words: string };

type PaletteProps = {
  /** The page's bindings when the palette opened. */
  keys: KeyGroup[];
  words: string;
  onWords: (words: string) => void;
  go: (href: string) => void;
  close: () => void;
};

const pauseMs = 150;

/** All pages, settings and commands, by typing, each with its key. */
export function Palette({ keys, words, onWords, go, close }: PaletteProps) {
  const found = useFound(words);
  const out = useRef<HTMLFormElement>(null);
  const to = (href: string) => () => {
    close();
    go(href);
  };
  // Runs the command with the dialog closed and the focus restored.
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
        <TypingLine close={close}>
          <CommandInput value={words} onValueChange={onWords} maxLength={200} {...box} />
        </TypingLine>
        <div role="status">
          {found.words === words ? (
            <CommandEmpty className="px-3 py-6 text-center text-muted">Nothing found</CommandEmpty>
          ) : null}
        </div>
        <CommandList label="Found" className="scroll-py-2 overflow-y-auto p-2">
          {found.questions.length > 0 ? (
            <Group heading="Pending questions">
              {found.questions.map(({ id, question, app }) => (
                // The server found it, so the visible text need not contain the
                // typed words. cmdk reads keywords only when an item mounts, so
                // other words need another key.
                <Entry
                  key={`${found.words}/${id}`}
                  value={id}
                  keywords={[found.words, question, app]}
                  onSelect={to(`/approvals/${id}`)}
                  aside={app}
                >
                  {question}
                </Entry>
              ))}
            </Group>
          ) : null}
          {actionsOf(keys).map(({ name, bindings }) => (
            <Group key={name} heading={name}>
              {bindings.map((binding) => (
                <Entry key={binding.keys} value={`${name} ${binding.says}`} onSelect={press(binding)} binding={binding}>
                  {binding.says}
                </Entry>
              ))}
            </Group>
          ))}
          <Group heading="Go to">
            {pages.map(({ key, href, label }) => (
              <Entry
                key={href}
                value={`go ${label}`}
                keywords={[subjects[key]]}
                onSelect={to(href)}
                binding={{ keys: `g ${key}` }}
              >
                {label}
              </Entry>
            ))}
          </Group>
          {found.apps.length > 0 ? (
            <Group heading="Apps">
              {found.apps.map(({ clientId, name }) => (
                <Entry key={clientId} value={`app ${name} ${clientId}`} onSelect={to(`/apps/${clientId}`)}>
                  {name}
                </Entry>
              ))}
            </Group>
          ) : null}
          <Group heading="Linked accounts">
            {found.accounts.map(({ id, label, email, provider }) => (
              <Entry
                key={id}
                value={`account ${label} ${email} ${provider} ${id}`}
                onSelect={to(`/integrations/${id}`)}
                aside={provider}
              >
                {label}
              </Entry>
            ))}
            <Entry value="link an account connect add" onSelect={to("/integrations/link")}>
              Link an account
            </Entry>
          </Group>
          <Group heading="Settings">
            {sections.map(({ id, label, words }) => (
              <Entry key={id} value={`settings ${label}`} keywords={[words]} onSelect={to(`/settings#${id}`)}>
                {label}
              </Entry>
            ))}
            {words === ""
              ? null
              : findable.map(({ id, label }) => (
                  <Entry key={id} value={`setting ${label}`} onSelect={to(`/settings#${id}`)}>
                    {label}
                  </Entry>
                ))}
          </Group>
          <Group heading="Account">
            <Entry value="sign out leave log out" onSelect={() => out.current?.requestSubmit()}>
              Sign out
            </Entry>
          </Group>
        </CommandList>
      </CommandRoot>
      <form ref={out} action="/sign-out" method="post" />
    </>
  );
}

/** The pages' subjects, for owners who do not know their names. */
const subjects: Record<(typeof pages)[number]["key"], string> = {
  a: "inbox questions waiting",
  n: "feed messages",
  i: "linked accounts",
  c: "permissions grants revoke",
  l: "log audit history",
  s: "preferences account",
  d: "register app tokens api",
};

const Group = ({ heading, children }: { heading: string; children: React.ReactNode }) => (
  <CommandGroup
    heading={heading}
    className="mb-1 [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted"
  >
    {children}
  </CommandGroup>
);

type EntryProps = {
  value: string;
  keywords?: string[];
  onSelect: () => void;
  binding?: Pick<KeyBinding, "keys">;
  aside?: string;
  children: React.ReactNode;
};

const Entry = ({ value, keywords, onSelect, binding, aside, children }: EntryProps) => (
  <CommandItem
    value={value}
    {...(keywords && { keywords })}
    onSelect={onSelect}
    className="flex min-h-11 cursor-pointer items-center justify-between gap-4 rounded-lg border border-transparent px-3 py-1.5 aria-selected:bg-accent-soft aria-selected:text-text sm:min-h-9 forced-colors:aria-selected:border-current"
  >
    <span dir="auto" className="line-clamp-2">
      {children}
    </span>
    {aside ? <bdi className="max-w-40 shrink-0 truncate text-xs text-muted">{aside}</bdi> : null}
    {binding ? (
      <span className="pointer-coarse:hidden">
        <KeyCaps keys={binding.keys} />
      </span>
    ) : null}
  </CommandItem>
);

/** Whether an item contains each typed word; matches by name rank above matches by subject. */
function fits(value: string, typed: string, keywords: string[] = []): number {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const name = value.toLowerCase();
  const subject = `${name} ${keywords.join(" ").toLowerCase()}`;
  if (words.every((word) => name.includes(word))) return 1;
  return words.every((word) => subject.includes(word)) ? 0.5 : 0;
}

/**
 * The page's own commands. Keys of every page are elsewhere in the palette, and the meaning of a
 * digit is visible only on the page.
 */
const actionsOf = (keys: KeyGroup[]): KeyGroup[] =>
  named(keys)
    .filter(({ name }) => name !== everywhere)
    .map(({ name, bindings }) => ({ name, bindings: bindings.filter(({ keys }) => !/[1-9]$/.test(keys)) }))
    .filter(({ bindings }) => bindings.length > 0);

/**
 * The server's results a moment after typing, with the words they are for; the latest words win.
 */
function useFound(words: string): Found {
  const [found, setFound] = useState<Found>({ words: "", questions: [], apps: [], accounts: [] });
  const asked = useRef(0);
  useEffect(() => {
    const mine = ++asked.current;
    const timer = setTimeout(
      async () => {
        const result = await sendAction("palette.find", new URLSearchParams({ words })).catch(() => undefined);
        if (mine !== asked.current) return;
        if (result?.ok && result.value) setFound({ words, ...result.value });
        else setFound(({ apps, accounts }) => ({ words, questions: [], apps, accounts }));
      },
      words === "" ? 0 : pauseMs,
    );
    return () => clearTimeout(timer);
  }, [words]);
  return words === "" ? { ...found, questions: [] } : found;
}
