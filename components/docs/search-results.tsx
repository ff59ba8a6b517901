import type { FoundSection } from "./search-sections";

/** Search results as links. */
export const SearchResults = ({ found }: { found: readonly FoundSection[] }) => (
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
