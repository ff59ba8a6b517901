type ConsentFrameProps = {
  /** The page's own URL, to return to after switching accounts. */
  here: string;
  children: React.ReactNode;
};

/** The frame of a consent page: one column in which the decision stays in view. */
export function ConsentFrame({ here, children }: ConsentFrameProps) {
  return (
    <div className="min-h-dvh bg-pane">
      <main className="mx-auto grid min-h-dvh w-full max-w-md content-start grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr] gap-4 px-4 pt-7 sm:min-h-0 sm:gap-3 sm:pt-4">
        {children}
      </main>
      {/* The button in `SignedInAs` submits this form. */}
      <form id={signOutForm} action="/sign-out" method="post">
        <input type="hidden" name="next" value={here} />
      </form>
    </div>
  );
}

const signOutForm = "not-you";

/**
 * The email of the owner who decides, with a button to switch accounts. The button's form is
 * elsewhere on the page, because forms cannot be nested.
 */
export const SignedInAs = ({ email }: { email: string }) => (
  <p className="text-center text-xs text-muted">
    Signed in as <span className="break-all text-ink">{email}</span> ·{" "}
    <button type="submit" form={signOutForm} className="link inline-flex min-h-11 items-center sm:min-h-8">
      Not you?
    </button>
  </p>
);

/** Why a decision returned to its form. */
export type ConsentReturn = "empty" | "changed";

/** Reads the reason from the page's query. */
export const backOf = (search: Record<string, unknown>): ConsentReturn | undefined =>
  "changed" in search ? "changed" : "empty" in search ? "empty" : undefined;
