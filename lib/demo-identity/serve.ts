import { createServer } from "node:http";
import { join } from "node:path";
import { demoProof, demoScopes, readDemo, toDemoIdentity } from "./config";
import type { Person } from "./pages";
import { identityProvider, loopbackCallbacks } from "./provider";
import { openStore } from "./store";

const people: readonly Person[] = [
  { id: "olive-work", called: "Olive at work", email: "olive@work.example" },
  { id: "olive-home", called: "Olive at home", email: "olive@home.example" },
];
const find = (id: string) => people.find((person) => person.id === id);

/** Every scope, with its sentence on the consent page. */
const sentences = Object.fromEntries(
  Object.entries(demoScopes).map(([access, [scope = ""]]) => {
    const [kind = "", verb] = access.split(".");
    return [
      scope,
      verb === "read" ? `See your ${kind}` : kind === "mail" ? "Send mail for you" : `Change your ${kind}`,
    ];
  }),
);

/**
 * Run the Demo identity in this process, on the port in its config file, with its stored state.
 * @returns a stop function
 * @throws with the code EADDRINUSE if its port is taken
 */
export async function serveDemo(folder: string): Promise<{ close(): void }> {
  const kept = readDemo(folder);
  if (!kept) throw new Error("The Demo identity is not turned on");
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(kept.port, "127.0.0.1", resolve);
  });
  const { origin: issuer, clientId, clientSecret } = toDemoIdentity(kept);
  // Read only now, because the previous process may have written until it released the port.
  const { adapter } = openStore(join(folder, "demo-identity-kept.json"));
  const { provider, handle } = identityProvider({
    issuer,
    name: "Demo identity",
    scopes: sentences,
    people,
    find,
    adapter,
    client: {
      id: clientId,
      secret: clientSecret,
      called: "Countersign",
      redirectUris: loopbackCallbacks("demo"),
    },
    claims: (id) => ({ name: "Olive Marten", email: find(id)?.email, email_verified: true }),
    cookieKeys: kept.cookieKeys,
    keys: kept.keys,
  });
  provider.on("server_error", (_, error) => process.stderr.write(`Demo identity: ${error.stack ?? error.message}\n`));
  server.on("request", (req, res) => {
    const [path, question = ""] = (req.url ?? "").split("?");
    if (path === "/proof") res.end(demoProof(kept, question));
    else handle(req, res);
  });
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { close };
}
