import { z } from "zod";
import { ownerAct } from "@/lib/owner-act";
import { declaredBy, declaring, lines } from "./app-form";
import { changeApp, declareScopes, registerApp } from "./apps";
import { endOldSecret, rotateSecret } from "./secrets";

const OneApp = z.object({ clientId: z.string() });

export const register = ownerAct({
  name: "app.register",
  input: z.object({ name: z.string(), kind: z.enum(["confidential", "public"]), redirectUris: lines, ...declaring }),
  fresh: true,
  run: (owner, { name, kind, redirectUris, ...declared }) =>
    registerApp(owner, { name, redirectUris, public: kind === "public", declaredScopes: declaredBy(declared) }),
  reveals: ({ clientId, clientSecret }) => ({
    title: "App registered",
    shown: { "Client id": clientId, ...(clientSecret && { "Client secret": clientSecret }) },
    onward: { href: `/developer/${clientId}`, label: "Go on to the app" },
  }),
});

export const changeRedirects = ownerAct({
  name: "app.change-redirects",
  input: OneApp.extend({ redirectUris: lines }),
  fresh: true,
  run: (owner, { clientId, redirectUris }) => changeApp(owner, clientId, { redirectUris }),
});

export const declare = ownerAct({
  name: "app.declare-scopes",
  input: OneApp.extend(declaring),
  fresh: true,
  run: (owner, { clientId, ...declared }) => declareScopes(owner, clientId, declaredBy(declared)),
});

export const replaceSecret = ownerAct({
  name: "app.rotate-secret",
  input: OneApp,
  fresh: true,
  run: (owner, { clientId }) => rotateSecret(owner, clientId),
  reveals: ({ clientSecret }) => ({ title: "New client secret", shown: { "Client secret": clientSecret } }),
});

export const endOld = ownerAct({
  name: "app.end-old-secret",
  input: OneApp,
  fresh: true,
  run: (owner, { clientId }) => endOldSecret(owner, clientId),
});
