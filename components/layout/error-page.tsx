type ApologyProps = { title: string; children: React.ReactNode };

/** The frame of error pages. Its code is part of every page, so it is minimal. */
export const ErrorPage = ({ title, children }: ApologyProps) => (
  <main className="mx-auto grid min-h-dvh w-full max-w-md content-center gap-4 px-4 py-8">
    <p className="font-semibold text-muted">Countersign</p>
    <h1 className="text-xl">{title}</h1>
    {children}
  </main>
);
