/** The column of a page that is read from top to bottom. */
export function Page({ children }: { children: React.ReactNode }) {
  return <div className="mx-auto w-full max-w-4xl px-4 py-5 sm:px-8 sm:py-8">{children}</div>;
}
