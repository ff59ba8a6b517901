import { Wordmark } from "@/components/layout/wordmark";

/**
 * The frame of a consent page: the owner, next to the requesting app.
 * @param here the page's own URL, to return to after switching accounts
 */
export function ConsentFrame({ email, here, children }: { email: string; here: string; children: React.ReactNode }) {
  return (
    <div className="mx-auto max-w-5xl px-4 pt-3 sm:px-8 sm:pt-5">
      <header className="flex items-center justify-between gap-x-6">
        <span className="shrink-0">
          <Wordmark mark="size-7" />
        </span>
        <form action="/sign-out" method="post" className="flex min-w-0 items-center gap-1 text-muted">
          <input type="hidden" name="next" value={here} />
          <span className="truncate">
            <span className="max-sm:sr-only">Signed in as</span> <span className="text-ink">{email}</span>
          </span>
          <button type="submit" className="link inline-flex min-h-11 shrink-0 items-center px-2 sm:min-h-8">
            Not you?
          </button>
        </form>
      </header>
      <main className="flex flex-col gap-x-8 gap-y-4 py-3 sm:py-5 lg:grid lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] lg:items-start">
        {children}
      </main>
    </div>
  );
}

/** Why a decision led back to its form. */
export type ConsentReturn = "empty" | "changed";

/** The same, from the page's query. */
export const backOf = (search: Record<string, unknown>): ConsentReturn | undefined =>
  "changed" in search ? "changed" : "empty" in search ? "empty" : undefined;
