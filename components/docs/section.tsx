import { Children } from "react";

type SectionProps = { id: string; title: string; children: React.ReactNode };

/** One part of the documentation, with an address of its own. */
export function Section({ id, title, children }: SectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="scroll-mt-4 border-t border-line pt-6">
      <h2 id={`${id}-title`} className="mb-3 text-lg">
        {title}
      </h2>
      <div className="grid gap-4">{children}</div>
    </section>
  );
}

/** Something to type, whole: it wraps and is never cut. */
export const Code = ({ children }: { children: string }) => (
  <pre className="mono rounded-lg border border-line bg-surface p-3 whitespace-pre-wrap">{children}</pre>
);

type Text = { children: React.ReactNode };

/** Text in which `words between such marks` are set as code. */
export const Marked = ({ children }: Text) =>
  Children.map(children, (part) =>
    typeof part !== "string"
      ? part
      : [...part.matchAll(/`([^`]+)`|[^`]+/g)].map(({ 0: plain, 1: code, index }) =>
          code === undefined ? (
            plain
          ) : (
            <code key={index} className="mono">
              {code}
            </code>
          ),
        ),
  );

/** A paragraph, and an entry of a list, of such text. */
export const P = ({ children }: Text) => (
  <p className="max-w-[68ch]">
    <Marked>{children}</Marked>
  </p>
);
export const Li = ({ children }: Text) => (
  <li>
    <Marked>{children}</Marked>
  </li>
);
