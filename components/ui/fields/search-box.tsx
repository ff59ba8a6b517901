import { Button } from "@/components/ui/button";
import { SearchIcon } from "@/components/ui/icons";
import { SearchInput } from "./search-input";

type SearchBoxProps = {
  /** The accessible label, like "Search answers". */
  label: string;
  placeholder: string;
  value: string | undefined;
  /** Whether to hide the button. Enter still searches. */
  compact?: boolean;
};

/** The search field of a GET form, with its button. */
export const SearchBox = ({ label, placeholder, value, compact = false }: SearchBoxProps) => (
  <div className="flex min-w-0 grow gap-2">
    <span className="relative min-w-0 grow">
      <SearchIcon
        className={`pointer-events-none absolute inset-s-3 size-5 text-muted ${compact ? "top-3 lg:top-2" : "top-3"}`}
      />
      <SearchInput
        aria-label={label}
        placeholder={placeholder}
        className={`ps-10 pe-3 py-2 ${compact ? "lg:min-h-9 lg:py-1.5" : ""}`}
        defaultValue={value ?? ""}
      />
    </span>
    <Button type="submit" className={compact ? "sr-only focus:not-sr-only focus:px-3" : "shrink-0 whitespace-nowrap"}>
      Search
    </Button>
  </div>
);
