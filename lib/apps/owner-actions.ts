import { z } from "zod";
import { ownerAction } from "@/lib/form-action";
import { declaredBy, declaring, lines } from "./app-form";
import { changeApp, declareScopes, registerApp } from "./apps";
import { revokePreviousSecret, rotateSecret } from "./client-secrets";

const OneApp = z.object({ clientId: z.string() });

export const register = ownerAction({
  name: "app.register",
  input: z.object({ name: z.string(), kind: z.enum(["confidential", "public"]), redirectUris: lines, ...declaring }),
  fresh: true,
  run: (owner, { name, kind, redirectUris, ...declared }) =>
    registerApp(owner, { name, redirectUris, public: kind === "public", declaredScopes: declaredBy(declared) }),
  secret: ({ clientId, clientSecret }) => ({
    title: "App registered",
    shown: { "Client ID": clientId, ...(clientSecret && { "Client secret": clientSecret }) },
    onward: { href: `/developer/${clientId}`, label: "Go to the app’s page" },
  }),
});

export const changeRedirects = ownerAction({
  name: "app.change-redirects",
  input: OneApp.extend({ redirectUris: lines }),
  fresh: true,
  run: (owner, { clientId, redirectUris }) => changeApp(owner, clientId, { redirectUris }),
});

export const declare = ownerAction({
  name: "app.declare-scopes",
  input: OneApp.extend(declaring),
  fresh: true,
  run: (owner, { clientId, ...declared }) => declareScopes(owner, clientId, declaredBy(declared)),
});

export const replaceSecret = ownerAction({
  name: "app.rotate-secret",
  input: OneApp,
  fresh: true,
  run: (owner, { clientId }) => rotateSecret(owner, clientId),
  secret: ({ clientSecret }) => ({ title: "New client secret", shown: { "Client secret": clientSecret } }),
});

export const endOld = ownerAction({
  name: "app.end-old-secret",
  input: OneApp,
  fresh: true,
  run: (owner, { clientId }) => revokePreviousSecret(owner, clientId),
});
