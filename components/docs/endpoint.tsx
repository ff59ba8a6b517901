import { Badge } from "@/components/ui/badge";
import { PlainLink } from "@/components/ui/plain-link";
import type { Endpoint as Described, Field } from "@/lib/api/reference";
import { Code, Marked } from "./section";

/** One endpoint: what it does, a command that does it, what it takes, gives and can refuse. */
export function Endpoint({ endpoint }: { endpoint: Described }) {
  const { id, method, path, scope, summary, description, takes, gives, success, failures, curl } = endpoint;
  return (
    <article
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-4 gap-3 rounded-xl border border-line bg-raised p-4 shadow-card sm:p-5"
    >
      <div>
        <h3 id={`${id}-title`} className="text-base">
          {summary}
        </h3>
        <p className="mt-1 flex flex-wrap items-center gap-2">
          <Badge tone={method === "GET" ? "neutral" : "accent"}>{method}</Badge>
          <code className="font-mono font-semibold">{path}</code>
        </p>
      </div>
      {description ? (
        <p className="max-w-[68ch]">
          <Marked>{description}</Marked>
        </p>
      ) : null}
      <p className="text-muted">
        {scope ? (
          <>
            Needs <code className="mono text-text">{scope}</code>.
          </>
        ) : (
          "Any valid token works."
        )}{" "}
        Answers {success}, or{" "}
        {failures.map((status, at) => (
          <span key={status}>
            {at > 0 ? ", " : ""}
            <PlainLink href="#errors">{status}</PlainLink>
          </span>
        ))}
        .
      </p>
      <Code>{curl}</Code>
      <Fields title="Takes" fields={takes} />
      <Fields title="Gives back" fields={gives} />
    </article>
  );
}

function Fields({ title, fields }: { title: string; fields: readonly Field[] }) {
  if (fields.length === 0) return null;
  return (
    <details open={title === "Takes"}>
      <summary className="link inline-flex min-h-11 items-center font-medium sm:min-h-9">
        {title} ({fields.length})
      </summary>
      <dl className="divide-y divide-line">
        {fields.map((field) => (
          <div key={`${field.in}${field.name}`} className="grid gap-x-4 py-2 sm:grid-cols-[13rem_minmax(0,1fr)]">
            <dt>
              <code className="font-mono text-xs font-semibold">{field.name}</code>
              <span className="block text-xs text-muted">
                {field.in === "body" || field.in === "reply" ? null : `${field.in} · `}
                {field.type}
                {field.in === "reply" ? (field.required ? "" : " · not always") : field.required ? " · required" : ""}
              </span>
            </dt>
            <dd className="min-w-0">
              {field.description ? (
                <p>
                  <Marked>{field.description}</Marked>
                </p>
              ) : null}
              {field.bounds.length > 0 ? <p className="text-muted">{field.bounds.join(" · ")}</p> : null}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
