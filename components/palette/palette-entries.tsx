"use client";
import { CommandGroup, CommandItem } from "cmdk";
import { pages } from "@/components/keyboard/go-to-page-keys";
import type { KeyBinding } from "@/components/keyboard/key-bindings";
import { KeyCaps } from "@/components/keyboard/key-caps";
import { findable, settingsPages } from "@/components/settings/settings-pages";
import type { ActionOutput } from "@/lib/web/action-registry";

/** The server's results for this query. */
export type PaletteResults = ActionOutput<"palette.find"> & { words: string };

type Going = { to: (href: string) => () => void };

export const Questions = ({ found, to }: Going & { found: PaletteResults }) =>
  found.questions.length > 0 ? (
    <Group heading="Pending questions">
      {found.questions.map(({ id, question, app }) => (
        // The server found the item, so the query is added to the keywords. Otherwise, cmdk could
        // filter the item out. A new query needs a new key, because cmdk reads keywords only on
        // mount.
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
  ) : null;

export const Pages = ({ to }: Going) => (
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
);

export const Accounts = ({ found, to }: Going & { found: PaletteResults }) => (
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
);

export const SettingsSections = ({ words: typed, to }: Going & { words: string }) => (
  <Group heading="Settings">
    {settingsPages.map(({ href, label, words }) => (
      <Entry key={href} value={`settings ${label}`} keywords={[words]} onSelect={to(href)}>
        {label}
      </Entry>
    ))}
    {typed === ""
      ? null
      : findable.map(({ href, label }) => (
          <Entry key={href} value={`setting ${label}`} onSelect={to(href)}>
            {label}
          </Entry>
        ))}
  </Group>
);

/** The pages' topics, for owners who do not know the pages' names. */
const subjects: Record<(typeof pages)[number]["key"], string> = {
  a: "inbox questions waiting",
  n: "feed messages",
  i: "linked accounts",
  c: "permissions grants revoke",
  l: "log audit history",
  s: "preferences account",
  d: "register app tokens api",
};

export const Group = ({ heading, children }: { heading: string; children: React.ReactNode }) => (
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

export const Entry = ({ value, keywords, onSelect, binding, aside, children }: EntryProps) => (
  <CommandItem
    value={value}
    {...(keywords && { keywords })}
    onSelect={onSelect}
    className="flex min-h-11 cursor-pointer items-center justify-between gap-4 rounded-lg border border-transparent px-3 py-1.5 aria-selected:bg-fill aria-selected:text-ink sm:min-h-9 forced-colors:aria-selected:border-current"
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
