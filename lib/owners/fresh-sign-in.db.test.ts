import { describe, expect, it } from "vitest";
import type { SessionOwner } from "@/lib/actor";
import { db } from "@/lib/database/db";
import { SignInAgain } from "@/lib/errors";
import { readAppPreferences, updateAppPreferences } from "@/lib/grants/app-preferences";
import { anApp, anOwner } from "@/lib/testing/factories";
import { aPasskeyFor } from "@/lib/testing/sign-answers";
import { changeSetting } from "./change-setting-from-form";
import type { Settings } from "./schema";
import { createSession, sessionOwner } from "./sessions";
import { changeSettings, readSettings } from "./settings";

/*
 * Tests the actions that require a recent sign-in only for some inputs. The owner signed in twenty
 * minutes ago. (Actions that always require a recent sign-in declare `fresh`.)
 */

type App = { clientId: string };

/** Creates an owner with an app, in a session that began twenty minutes ago. */
async function signedIn() {
  const { ownerId } = await anOwner();
  const opening = { method: "password" as const, userAgent: "", address: "192.0.2.1" };
  const { id } = await createSession({ ownerId, sessionVersion: 1 }, opening);
  const now = async () => (await sessionOwner(ownerId, 1, id)) as SessionOwner;
  const fresh = await now();
  const { clientId } = await anApp(fresh);
  await db.$executeRaw`UPDATE owner_session SET signed_in_at = now() - interval '20 minutes' WHERE id = ${id}`;
  return { stale: await now(), fresh, app: { clientId } };
}

type Act = {
  does: string;
  act: (owner: SessionOwner, app: App) => Promise<unknown>;
  /** Returns the current state of the data that the action would change. */
  shows: (owner: SessionOwner, app: App) => Promise<unknown>;
  /** Creates the state that the action requires. */
  before?: (owner: SessionOwner, app: App) => Promise<unknown>;
};

const chosen = (owner: SessionOwner, { clientId }: App) => readAppPreferences(owner, clientId);

const acts: Act[] = [
  {
    does: "stop confirming answers to one app",
    act: (owner, { clientId }) => updateAppPreferences(owner, clientId, { alwaysConfirm: false }),
    shows: chosen,
    before: (owner, { clientId }) => updateAppPreferences(owner, clientId, { alwaysConfirm: true }),
  },
  {
    does: "show one app's full text on the lock screen",
    act: (owner, { clientId }) => updateAppPreferences(owner, clientId, { lockScreen: "full" }),
    shows: chosen,
  },
  {
    does: "stop signing answers to one app",
    act: (owner, { clientId }) => updateAppPreferences(owner, clientId, { signAnswers: false }),
    shows: chosen,
    before: async (owner, { clientId }) => {
      await aPasskeyFor(owner);
      await updateAppPreferences(owner, clientId, { signAnswers: true });
    },
  },
  {
    does: "reset one app's lock screen setting to the default",
    act: (owner, { clientId }) => updateAppPreferences(owner, clientId, { lockScreen: null }),
    shows: chosen,
    before: async (owner, { clientId }) => {
      await updateAppPreferences(owner, clientId, { lockScreen: "private" });
      await changeSettings(owner, { lockScreen: "full" });
    },
  },
  ...(
    [
      ["undoSeconds", "0", { undoSeconds: 10 }],
      ["undoSeconds", "5", { undoSeconds: 10 }],
      ["alwaysConfirm", "off", { alwaysConfirm: true }],
      ["signAnswers", "off", { signAnswers: true }],
      ["lockScreen", "full", {}],
      ["emailAlerts", "off", {}],
      ["emailAfterMinutes", "1440", {}],
      ["emailAnswers", "on", {}],
      ["quietBreakthrough", "off", {}],
    ] as [keyof Settings, string, Partial<Settings>][]
  ).map(([setting, value, before]) => ({
    does: `set ${setting} to ${value}`,
    act: (owner: SessionOwner) => changeSetting(owner, { setting, value: [value] }),
    shows: readSettings,
    before: async (owner: SessionOwner) => {
      if (before.signAnswers) await aPasskeyFor(owner);
      await changeSettings(owner, before);
    },
  })),
];

describe("without a fresh sign-in", () => {
  it.each(acts)("rejects an attempt to $does without a fresh sign-in", async ({ act, shows, before }) => {
    const { stale, fresh, app } = await signedIn();
    expect(stale.fresh).toBe(false);
    await before?.(fresh, app);
    const was = await shows(fresh, app);
    await expect(act(stale, app)).rejects.toBeInstanceOf(SignInAgain);
    expect(await shows(fresh, app)).toEqual(was);
    await act(fresh, app);
    expect(await shows(fresh, app)).not.toEqual(was);
  });
});

it("allows stricter settings without a fresh sign-in", async () => {
  const { stale, fresh, app } = await signedIn();
  await changeSettings(fresh, { lockScreen: "full", emailAlerts: false, undoSeconds: 5, quietBreakthrough: false });
  await changeSettings(stale, {
    undoSeconds: 30,
    alwaysConfirm: true,
    lockScreen: "private",
    emailAlerts: true,
    emailAfterMinutes: 5,
    quietBreakthrough: true,
    theme: "dark",
    quiet: { from: 1320, until: 420 },
    firstStepsDone: true,
  });
  expect(await readSettings(stale)).toMatchObject({ undoSeconds: 30, lockScreen: "private", emailAlerts: true });
  await changeSettings(stale, { undoSeconds: 30, lockScreen: "private" });
  await updateAppPreferences(stale, app.clientId, { alwaysConfirm: true, questionsMuted: true, lockScreen: "private" });
  expect(await readAppPreferences(stale, app.clientId)).toMatchObject({ alwaysConfirm: true, lockScreen: "private" });
});
