import { ConsentForm } from "@/components/grants/consent-form";
import { RequestingApp } from "@/components/grants/requesting-app";
import type { ConsentView } from "@/lib/grants/schema";
import type { Scope } from "@/lib/scopes";
import type { DeclaredScope } from "./scope-fields";

export type PreviewedApp = {
  name: string;
  redirectUri: string;
  /** The name of the owner who registers the app. */
  registrar: string;
  /** When the app was registered, in epoch milliseconds. */
  registeredAt: number;
};

/**
 * The real consent screen as another owner sees it, inert to mouse, keyboard and screen readers.
 */
export function ConsentPreview({ app, scopes }: { app: PreviewedApp; scopes: readonly DeclaredScope[] }) {
  const view = viewOf(app, scopes);
  return (
    <div
      inert
      aria-hidden="true"
      data-preview
      className="flex min-w-0 flex-col gap-4 overflow-x-clip rounded-xl border border-dashed border-edge bg-pane p-4 [&_.sticky]:static"
    >
      <RequestingApp view={view} />
      <ConsentForm key={JSON.stringify(view.requested)} view={view} act="consent.decide" url="" fresh />
    </div>
  );
}

function viewOf(
  { name, redirectUri, registrar, registeredAt }: PreviewedApp,
  scopes: readonly DeclaredScope[],
): ConsentView {
  const { host, kind } = whereTo(redirectUri);
  return {
    id: "preview",
    csrf: "",
    firstTime: true,
    integrations: [],
    alreadyGranted: [],
    app: {
      clientId: "",
      name: name || "Your app",
      kind: "manual",
      registeredAt,
      registeredBy: registrar,
      yours: false,
      namesake: false,
    },
    redirectHost: host,
    localApp: kind !== "https",
    returnUrlKind: kind,
    requested: scopes
      .filter(({ requested }) => requested)
      .map(({ scope, sentence, sensitive, purpose, required }) => ({
        scope: scope as Scope,
        sentence,
        sensitive,
        required: required && !sensitive,
        ...(purpose && { purpose }),
      })),
  };
}

/**
 * Guesses where the redirect URI leads while the owner types it. The server validates the URI on
 * registration.
 */
function whereTo(uri: string): { host: string; kind: ConsentView["returnUrlKind"] } {
  if (uri === "") return { host: "(no redirect URI yet)", kind: "https" };
  if (!URL.canParse(uri)) return { host: "(incomplete redirect URI)", kind: "https" };
  const { protocol, host, hostname } = new URL(uri);
  if (protocol === "https:") return { host, kind: "https" };
  if (protocol !== "http:") return { host: protocol, kind: "private" };
  return { host, kind: ["localhost", "127.0.0.1", "[::1]"].includes(hostname) ? "loopback" : "https" };
}
