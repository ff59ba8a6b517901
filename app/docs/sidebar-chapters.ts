import { pathOfPage } from "@/lib/api/docs/chapters";
import { availableChapters } from "@/lib/api/docs/docs-pages";

/** Returns the chapters and pages that the sidebar lists. */
export const sidebarChapters = () =>
  availableChapters().map(({ title, pages }) => ({
    title,
    pages: pages.map((page) => ({ href: pathOfPage(page.id), title: page.title })),
  }));
