import { Button } from "./button";
import { TextInput } from "./field";
import { SearchIcon } from "./icons";

type SearchBoxProps = {
  /** What it searches, for assistive technology: "Search answers". */
  label: string;
  placeholder?: string;
  value: string | undefined;
};

/** The search of a GET form, sent as `q`; the key `/` leads to it. */
export function SearchBox({ label, placeholder, value }: SearchBoxProps) {
  return (
    <div className="flex gap-2">
      <span className="relative grow">
        <SearchIcon className="pointer-events-none absolute top-3 left-3 size-5 text-muted" />
        <TextInput
          type="search"
          name="q"
          data-search
          aria-label={label}
          aria-keyshortcuts="/"
          maxLength={200}
          autoComplete="off"
          enterKeyHint="search"
          className="pl-10!"
          defaultValue={value ?? ""}
          {...(placeholder ? { placeholder } : {})}
        />
      </span>
      <Button type="submit">Search</Button>
    </div>
  );
}
