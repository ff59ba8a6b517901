import { SignOutIcon } from "@/components/ui/icons";

/** Who is signed in, and the way out. A plain form, so that signing out never depends on scripts. */
export function Account({ owner }: { owner: { name: string; email: string } }) {
  return (
    <form
      action="/sign-out"
      method="post"
      className="flex items-center gap-2 border-t border-line p-2 sm:justify-center xl:justify-between"
    >
      <p className="min-w-0 grow px-2 sm:sr-only xl:not-sr-only xl:px-2">
        <span className="block truncate font-medium">{owner.name}</span>
        <span className="block truncate text-xs text-muted">{owner.email}</span>
      </p>
      <button
        type="submit"
        title="Sign out"
        aria-label="Sign out"
        className="inline-flex size-11 shrink-0 items-center justify-center rounded-lg text-muted hover:bg-bg hover:text-text"
      >
        <SignOutIcon />
      </button>
    </form>
  );
}
