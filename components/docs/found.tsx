import { around, type DocsSection } from "./find";

type FoundProps = { found: readonly DocsSection[]; typed: string };

/** What a search found, as links. */
export const Found = ({ found, typed }: FoundProps) => (
  <ul className="found">
    {found.map((section) => (
      <li key={section.href}>
        <a href={section.href}>
          <strong>{section.heading}</strong>
          {section.heading === section.page ? null : <span>{section.page}</span>}
          <span>{around(section, typed)}</span>
        </a>
      </li>
    ))}
  </ul>
);
