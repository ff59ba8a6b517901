import { z } from "zod";
import { ownerAction } from "@/lib/form-action";
import { changeSetting } from "./change-setting-from-form";
import { cancelEmailChange, resendConfirmation } from "./email-confirmation";
import { dismissFailedSignIns } from "./failed-sign-ins";
import { changeAccount, changePassword, signOutEverywhere } from "./owners";
import { addPasskey, beginPasskey, removePasskey } from "./passkeys/passkeys";
import { makeRecoveryCodes } from "./recovery-codes";
import { AccountChange, NewPasskey, PasswordChange, SettingChange, Settings } from "./schema";
import { endSession } from "./sessions";
import { changeSettings, takeTimeZone } from "./settings";
import { makePhoneLink } from "./sign-in-links";

const One = z.object({ id: z.string().max(1400) });
const Nothing = z.object({});

/** Changes the password, ends every session, and starts a new one in this browser. */
export const newPassword = ownerAction({
  name: "password.change",
  input: PasswordChange,
  run: (owner, change, { address }) => changePassword(owner, { ...change, address }),
  browserState: (entrance) => ({ session: entrance }),
});

/** Changes the owner's name and email. */
export const changeNames = ownerAction({ name: "account.change", input: AccountChange, run: changeAccount });

/** Sends another confirmation link to the email address that awaits confirmation. */
export const resendEmailLink = ownerAction({ name: "email.resend", input: Nothing, run: resendConfirmation });

export const keepEmail = ownerAction({ name: "email.cancel", input: Nothing, run: cancelEmailChange });

export const endOneSession = ownerAction({
  name: "session.end",
  input: One,
  run: (owner, { id }) => endSession(owner, id),
});

export const endSessions = ownerAction({
  name: "session.end-all",
  input: Nothing,
  run: signOutEverywhere,
  browserState: () => ({ session: "none" }),
  next: () => "/sign-in",
});

/** Returns the options for creating a passkey in the browser. */
export const askPasskey = ownerAction({ name: "passkey.ask", input: Nothing, fresh: true, run: beginPasskey });

export const newPasskey = ownerAction({ name: "passkey.add", input: NewPasskey, fresh: true, run: addPasskey });

export const endPasskey = ownerAction({
  name: "passkey.remove",
  input: One,
  fresh: true,
  run: (owner, { id }) => removePasskey(owner, id),
});

export const makeCodes = ownerAction({
  name: "recovery.make-codes",
  input: Nothing,
  fresh: true,
  run: makeRecoveryCodes,
  secret: ({ codes }) => ({ title: "Your recovery codes", shown: { Codes: codes.join("\n") } }),
});

export const dismissRefusals = ownerAction({
  name: "refusals.dismiss",
  input: z.object({ until: z.coerce.number().int().min(0).max(8.64e15) }),
  run: (owner, { until }) => dismissFailedSignIns(owner, until),
});

export const changeOneSetting = ownerAction({
  name: "setting.change",
  input: SettingChange,
  run: changeSetting,
  browserState: ({ theme, density, motion }) => ({ look: { theme, density, motion } }),
});

/** Creates a link that signs the owner in on their phone. */
export const handOver = ownerAction({
  name: "phone.link",
  input: Nothing,
  fresh: true,
  run: makePhoneLink,
  secret: ({ link }) => ({ title: "Open this link on your phone within five minutes", shown: { Link: link } }),
});

/** Saves the browser's time zone, unless the account already has one. */
export const takeZone = ownerAction({
  name: "setting.take-time-zone",
  input: Settings.pick({ timeZone: true }),
  run: (owner, { timeZone }) => takeTimeZone(owner, timeZone),
});

/** Hides the first steps permanently. */
export const hideFirstSteps = ownerAction({
  name: "setting.hide-first-steps",
  input: Nothing,
  run: (owner) => changeSettings(owner, { firstStepsDone: true }),
  next: () => "/approvals",
});
