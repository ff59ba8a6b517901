"use client";
import { CommandEmpty, CommandGroup, CommandInput, CommandItem, CommandList, CommandRoot } from "cmdk";
import { useEffect, useRef, useState } from "react";
import { KeyCaps } from "@/components/keys/key-caps";
import type { KeyBinding, KeyGroup } from "@/components/keys/keys";
import { pages } from "@/components/keys/pages";
import { findable, sections } from "@/components/settings/sections";
import type { FormAction } from "@/components/ui/action-form";
import { useModal } from "@/components/ui/use-modal";

/** What the server finds. */
export type Found = {
  questions: { id: string; question: string; app: string }[];
  apps: { clientId: string; name: string }[];
};
export type Find = FormAction<Found>;

type PaletteProps = {
  /** What keys did on the page when this was opened. */
  keys: KeyGroup[];
  find: Find;
  go: (href: string) => void;
  onClose: () => void;
};

const pauseMs = 150;

/** Everything one can go to or do, by typing. Each thing shows its key. */
export function Palette({ keys, find, go, onClose }: PaletteProps) {
  const dialog = useModal(onClose);
  const [words, setWords] = useState("");
  const found = useFound(find, words);
  const out = useRef<HTMLFormElement>(null);
  const to = (href: string) => () => {
    dialog.current?.close();
    go(href);
  };
  // The key's work is done where the key would have found the page: with the dialog closed and the focus back.
  const press = (binding: KeyBinding) => () => {
    dialog.current?.close();
    setTimeout(() => binding.run(new KeyboardEvent("keydown")));
  };
  return (
    <dialog
      ref={dialog}
      aria-label="Search and go to"
      className="mt-[max(0.5rem,12dvh)] w-[min(38rem,calc(100vw-1rem))] overflow-hidden rounded-xl border border-line bg-raised p-0 text-text shadow-float max-sm:mt-2"
    >
      <CommandRoot label="Search and go to" loop className="flex max-h-[min(32rem,calc(100dvh-1rem))] flex-col">
        <div className="flex items-center border-b-2 border-line has-[input:focus-visible]:border-focus">
          <CommandInput
            value={words}
            onValueChange={setWords}
            maxLength={200}
            placeholder="Where to, or what?"
            className="min-h-13 min-w-0 grow bg-transparent px-4 text-base placeholder:text-muted focus-visible:outline-none"
          />
          <button
            type="button"
            onClick={() => dialog.current?.close()}
            className="mr-2 min-h-11 rounded-lg px-3 text-muted hover:text-text"
          >
            Close
          </button>
        </div>
        <CommandList label="Found" className="scroll-py-2 overflow-y-auto p-2">
          <CommandEmpty className="px-3 py-6 text-center text-muted">Nothing found</CommandEmpty>
          {found.questions.length > 0 ? (
            <Group heading="Waiting questions">
              {found.questions.map(({ id, question, app }) => (
                // The server found it; what is typed need not be in what is shown.
                <Entry key={id} value={id} keywords={[words]} onSelect={to(`/approvals/${id}`)} aside={app}>
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
            {pages.map(({ key, href, label, words }) => (
              <Entry
                key={href}
                value={`go ${label}`}
                keywords={[words]}
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
    </dialog>
  );
}

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
    {binding ? <KeyCaps keys={binding.keys} /> : null}
  </CommandItem>
);

/** What the page itself offers: what is everywhere stands elsewhere in the palette. */
const actionsOf = (keys: KeyGroup[]): KeyGroup[] =>
  keys
    .filter(({ name }) => name !== "Everywhere")
    .map(({ name, bindings }) => ({ name, bindings: bindings.filter(({ says, shows }) => says && !shows) }))
    .filter(({ bindings }) => bindings.length > 0);

/** What the server finds for the words, a moment after they were typed; the latest words win. */
function useFound(find: Find, words: string): Found {
  const [found, setFound] = useState<Found>({ questions: [], apps: [] });
  const asked = useRef(0);
  useEffect(() => {
    const mine = ++asked.current;
    const timer = setTimeout(
      async () => {
        const form = new FormData();
        form.set("words", words);
        const result = await find(null, form).catch(() => undefined);
        if (mine === asked.current && result?.ok && result.value) setFound(result.value);
      },
      words === "" ? 0 : pauseMs,
    );
    return () => clearTimeout(timer);
  }, [find, words]);
  return words === "" ? { ...found, questions: [] } : found;
}
