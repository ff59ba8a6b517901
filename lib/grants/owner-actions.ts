import { z } from "zod";
import { actionById, ownerAction, yesNo } from "@/lib/form-action";
import { updateAppPreferences } from "./app-preferences";
import { deleteApp } from "./delete-app";
import { revokeGrant } from "./grants";
import { shareIntegrations, shareWith } from "./linked-account-sharing";
import { muteType } from "./muted-notification-types";
import { createPersonalToken, revokeToken } from "./personal-tokens";
import { revokeScope, undoRevokeScope } from "./revoke-scope";
import { NewPersonalToken, ScopeName } from "./schema";

const OneApp = z.object({ clientId: z.string().max(100) });

export const setAttention = ownerAction({
  name: "app.set-attention",
  input: OneApp.extend({
    setting: z.enum(["questionsMuted", "notificationsMuted", "alwaysConfirm", "signAnswers", "signInLens"]),
    on: yesNo,
  }),
  run: (owner, { clientId, setting, on }) => updateAppPreferences(owner, clientId, { [setting]: on }),
});

export const muteOneType = ownerAction({
  name: "app.mute-type",
  input: OneApp.extend({ type: z.string(), on: yesNo }),
  run: (owner, { clientId, type, on }) => muteType(owner, clientId, type, on),
});

/** With `same`, the owner's general setting applies. */
export const setLockScreen = ownerAction({
  name: "app.set-lock-screen",
  input: OneApp.extend({ lockScreen: z.enum(["same", "private", "full"]) }),
  run: (owner, { clientId, lockScreen }) =>
    updateAppPreferences(owner, clientId, { lockScreen: lockScreen === "same" ? null : lockScreen }),
});

export const takeBack = ownerAction({
  name: "app.take-back-scope",
  input: OneApp.extend({ scope: ScopeName }),
  run: (owner, { clientId, scope }) => revokeScope(owner, clientId, scope),
});

export const undoTaken = ownerAction({
  name: "app.undo-take-back",
  input: OneApp.extend({ scope: ScopeName }),
  run: (owner, { clientId, scope }) => undoRevokeScope(owner, clientId, scope),
});

export const shareAccounts = ownerAction({
  name: "app.share-accounts",
  input: OneApp.extend({ integrationIds: z.array(z.string()).default([]) }),
  run: (owner, { clientId, integrationIds }) => shareIntegrations(owner, clientId, integrationIds),
});

/** Shares one account with an app, or stops sharing it, from the account's own page. */
export const shareOneAccount = ownerAction({
  name: "app.share-account",
  input: OneApp.extend({ id: z.string().max(100), on: yesNo }),
  run: (owner, { clientId, id, on }) => shareWith(owner, clientId, id, on),
});

export const revoke = ownerAction({
  name: "app.revoke",
  input: OneApp,
  run: (owner, { clientId }) => revokeGrant(owner, clientId),
  next: ({ clientId }) => `/apps?${new URLSearchParams({ revoked: clientId })}`,
});

export const deleteOne = ownerAction({
  name: "app.delete",
  input: OneApp,
  fresh: true,
  run: (owner, { clientId }) => deleteApp(owner, clientId),
  next: () => "/developer",
});

export const createToken = ownerAction({
  name: "token.create",
  input: NewPersonalToken,
  fresh: true,
  run: createPersonalToken,
  secret: ({ token, owner }) => ({ title: "Token created", shown: { Token: token, "Owner ID": owner } }),
});

export const endToken = actionById("token.revoke", revokeToken);
