/** The column of a page that is read from top to bottom. `wide` for one that shows things side by side. */
export function Page({ children, wide = false }: { children: React.ReactNode; wide?: boolean }) {
  return (
    <div className={`mx-auto w-full px-4 py-5 sm:px-8 sm:py-8 ${wide ? "max-w-6xl" : "max-w-4xl"}`}>{children}</div>
  );
}
