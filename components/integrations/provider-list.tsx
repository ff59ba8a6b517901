import { ChevronIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import type { Provider } from "@/lib/integrations/providers/provider";
import { bucketsAmong, kinds } from "./account-text";
import { ProviderMark } from "./provider-icons";

/** A provider and the number of accounts the owner has linked there. */
type Offered = Provider & { linked: number };

/** The available providers, each a link to its form. */
export const ProviderList = ({ providers }: { providers: readonly Offered[] }) => (
  <ul className="-mx-3 grid gap-1 sm:grid-cols-2">
    {providers.map((provider) => (
      <li key={provider.id}>
        <Link
          href={`/integrations/link/${provider.id}`}
          data-row
          className="flex h-full min-h-18 items-center gap-3 rounded-xl px-3 py-2 hover:bg-fill"
        >
          <ProviderMark provider={provider.id} name={provider.name} />
          <span className="min-w-0 grow">
            <span className="block font-semibold">
              {provider.kind === "mail" ? "A mail account (IMAP)" : provider.name}
            </span>
            <span className="block text-muted">
              {provider.kind === "mail" ? "Mail, with an app password" : what(provider)}
              {provider.linked > 0 ? ` · ${provider.linked} linked` : ""}
            </span>
          </span>
          <ChevronIcon className="size-4 text-muted" />
        </Link>
      </li>
    ))}
  </ul>
);

/** The data types that a provider offers, such as "Mail, calendar, contacts". */
function what({ offers }: Provider): string {
  const words = bucketsAmong(offers).map((bucket) => kinds[bucket].toLowerCase());
  const text = words.join(", ") || "only your profile";
  return text.charAt(0).toUpperCase() + text.slice(1);
}

type MissingProps = {
  provider: Provider;
  /** The redirect URI to register at the provider. */
  redirect: string;
};

/**
 * A provider that is not set up: one line for the owner, with collapsed instructions for the
 * operator.
 */
export const Missing = ({ provider: { id, name, variables }, redirect }: MissingProps) => (
  <div className="flex items-start gap-3">
    <ProviderMark provider={id} name={name} className="size-9 shrink-0 opacity-60 max-sm:mt-1" />
    <details className="min-w-0 grow">
      <summary className="flex min-h-11 flex-wrap items-center gap-x-3 text-muted sm:min-h-9">
        {name} · Not set up
        <span className="link">
          Setup instructions<span className="sr-only">: {name}</span>
        </span>
      </summary>
      <div className="grid gap-2 pt-1 text-muted">
        <p>
          Register Countersign as an app at {name} with the redirect URI{" "}
          <code className="mono text-ink">{redirect}</code>.
        </p>
        <p>
          Set{" "}
          {variables.map((variable, index) => (
            <span key={variable}>
              {index > 0 ? " and " : ""}
              <code className="mono text-ink">{variable}</code>
            </span>
          ))}
          . Then restart the service. For details, see <code className="mono text-ink">docs/integrations.md</code> and{" "}
          <code className="mono text-ink">.env.example</code>.
        </p>
      </div>
    </details>
  </div>
);
