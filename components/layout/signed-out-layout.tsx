import { Wordmark } from "./wordmark";

type DoorwayProps = {
  title: string;
  lead?: React.ReactNode;
  /**
   * The HTTP status of a page without actions. The server sends such pages without scripts
   * (lib/http/pages-without-scripts.ts).
   */
  status?: number;
  children?: React.ReactNode;
};

/** The layout of signed-out pages: one card next to a short introduction. */
export function SignedOutLayout({ title, lead, status, children }: DoorwayProps) {
  return (
    <div data-static={status} className="grid min-h-dvh lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
      <aside className="relative hidden overflow-hidden border-e border-line bg-fill lg:block">
        <Strokes />
        <p className="absolute inset-x-12 bottom-14 text-[2.75rem] leading-[1.05] font-semibold tracking-[-0.035em] text-ink xl:inset-x-16">
          Apps ask.
          <br />
          You answer.
        </p>
      </aside>
      <main className="mx-auto grid w-full max-w-md content-center gap-6 px-4 py-8 sm:px-6">
        <Wordmark />
        <div className="grid gap-5 rounded-2xl bg-pane forced-colors:border p-5 sm:p-7">
          <div className="grid gap-1.5">
            <h1 className="text-xl">{title}</h1>
            {lead ? <div className="text-muted">{lead}</div> : null}
          </div>
          {children}
        </div>
      </main>
    </div>
  );
}

/**
 * The mark's two strokes, drawn large. The first stroke stands for the app, and the second for the
 * owner.
 */
const Strokes = () => (
  <svg
    viewBox="0 0 520 640"
    preserveAspectRatio="xMidYMin slice"
    aria-hidden="true"
    focusable="false"
    className="absolute inset-0 size-full fill-none stroke-ink"
  >
    <path
      d="M40 250 150 360 372 40"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="opacity-50"
    />
    <path d="M150 300 246 396 500 30" strokeWidth="26" strokeLinecap="round" strokeLinejoin="round" />
    <path d="M40 440h440" strokeWidth="1.5" strokeDasharray="1 7" strokeLinecap="round" className="opacity-70" />
  </svg>
);
