import { notFound, permanentRedirect } from "next/navigation";
import { DocsShell } from "@/components/docs/docs-shell";
import { DocsMarkdown } from "@/components/docs/markdown";
import { pathOfPage } from "@/lib/api/docs/chapters";
import { docsPage, docsPages, docsText, markdownOf } from "@/lib/api/docs/docs-pages";
import type { DocsPage } from "@/lib/api/docs/page-definition";
import { headingsOf } from "@/lib/api/docs/page-sections";
import { operations } from "@/lib/api/operation-registry";
import { env } from "@/lib/config/env";
import { sidebarChapters } from "../sidebar-chapters";
import "../docs.css";

type DocsProps = { params: Promise<{ page?: string[] }> };

async function find({ params }: DocsProps): Promise<DocsPage> {
  const { page = [] } = await params;
  // The first page is served only at /docs.
  if (page[0] === "quick-start") permanentRedirect("/docs");
  return (page.length > 1 ? undefined : docsPage(page[0])) ?? notFound();
}

export async function generateMetadata(props: DocsProps) {
  const { id, title, about } = await find(props);
  return {
    title: `${title} · Documentation`,
    description: about,
    alternates: { types: { "text/markdown": env().publicUrl + markdownOf(id) } },
  };
}

/** A documentation page. It is the same for every reader, signed in or not. */
export default async function Docs(props: DocsProps) {
  const page = await find(props);
  return (
    <DocsShell chapters={sidebarChapters()} here={pathOfPage(page.id)} parts={headingsOf(page)}>
      <article>
        <DocsMarkdown text={docsText(page)} />
        {page.id === "quick-start" ? <Contents contact={env().securityContact} /> : null}
        <p className="foot">
          <a href={markdownOf(page.id)}>View as Markdown</a>
          <a href="/llms.txt">llms.txt</a>
          <a href="/api/openapi.json" download="countersign-openapi.json">
            Download OpenAPI 3.1
          </a>
          <a href="/api/openapi-3.0.json" download="countersign-openapi-3.0.json">
            Download OpenAPI 3.0{" "}
          </a>
          <a href="/countersign.postman_collection.json" download>
            Download API collection (Postman, Bruno, Insomnia)
          </a>
          <a href="/licenses.txt">Licenses</a>
        </p>
      </article>
    </DocsShell>
  );
}

/** Links to all other pages and endpoints, and the security contact. */
const Contents = ({ contact }: { contact: string | undefined }) => (
  <>
    <h2 id="everything">All other pages</h2>
    <dl className="contents">
      {docsPages()
        .slice(1)
        .map(({ id, title, about }) => (
          <div key={id}>
            <dt>
              <a href={pathOfPage(id)}>{title}</a>
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
    </dl>
    <h2 id="every-endpoint">All endpoints</h2>
    <dl className="contents">
      {operations.map(({ id, method, path, summary }) => (
        <div key={id} id={id}>
          <dt>
            <a href={`/docs/reference#${id}`}>{summary}</a>
          </dt>
          <dd>
            <code>
              {method} {path}
            </code>
          </dd>
        </div>
      ))}
    </dl>
    <h2 id="security">Security</h2>
    <p>
      Report a vulnerability in this service privately to its operator
      {contact ? (
        <>
          : <a href={contact}>{contact.replace(/^mailto:/, "")}</a>
        </>
      ) : null}
      . To report a vulnerability in Countersign itself, see <code>SECURITY.md</code> in the source code.
    </p>
  </>
);
