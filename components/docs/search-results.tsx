import type { FoundSection } from "./find";

type FoundProps = { found: readonly FoundSection[] };

/** Search results as links. */
export const SearchResults = ({ found }: FoundProps) => (
  <ul className="found">
    {found.map((section) => (
      <li key={section.href}>
        <a href={section.href}>
          <strong>{section.heading}</strong>
          {section.heading === section.page ? null : <span>{section.page}</span>}
          <span>{section.around}</span>
        </a>
      </li>
    ))}
  </ul>
);
