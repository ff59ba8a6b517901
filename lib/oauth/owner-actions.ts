import { z } from "zod";
import { AppChanged, type AppError } from "@/lib/errors";
import { ownerAction, type SentFields } from "@/lib/form-action";
import { ConsentDecision } from "@/lib/grants/schema";
import { decideConsent } from "./consent";
import { claimDeviceCode, decideDevice } from "./device-authorization";

const { csrf, scopes, integrationIds, days } = ConsentDecision.shape;

/** The consent form. The page shows no flash, because it sends no Referer. */
const ConsentForm = z
  .object({
    id: z.string().max(100),
    csrf: csrf.default(""),
    decision: z.string().optional(),
    scope: scopes,
    integration: integrationIds,
    // Rejects a value that is not a number, which must not mean "no limit".
    days: z.coerce.number().pipe(days.unwrap()).optional(),
  })
  .refine(({ decision, scope }) => decision !== "allow" || scope.length > 0, "Choose at least one permission")
  .transform(({ id, csrf, decision, scope, integration, days }) => ({
    id,
    decision: { csrf, allow: decision === "allow", scopes: scope, integrationIds: integration, days },
  }));

/**
 * Returns the common parts of both consent actions. If the owner selected nothing, or the app has
 * changed, nothing is decided and the form opens again.
 */
const consentForm = (pageOf: (id: string) => string, advice: string) => {
  const page = ({ id }: SentFields) => pageOf(String(id));
  return {
    input: ConsentForm,
    page,
    errorPage: (fields: SentFields, error: AppError) => {
      if (error instanceof AppChanged) return `${page(fields)}?changed`;
      return fields.decision === "allow" && fields.scope?.length === 0 ? `${page(fields)}?empty` : undefined;
    },
    failure: {
      title: "Couldn’t save the decision",
      advice,
      signedOut: "Your session has ended, so the decision wasn’t saved.",
    },
  };
};

/** Decides a consent request, and redirects to the app with a code or a denial. */
export const decideConsentAction = ownerAction({
  name: "consent.decide",
  ...consentForm((id) => `/consent/${id}`, "Go back to the app and start over."),
  run: (owner, { id, decision }) => decideConsent(owner, id, decision),
  next: (_, { redirectTo }) => redirectTo,
});

/** Decides a device's request. The form's page then shows the outcome. */
export const decideDeviceAction = ownerAction({
  name: "consent.decide-device",
  ...consentForm((id) => `/device/${id}`, "Start over on your device."),
  run: (owner, { id, decision }) => decideDevice(owner, id, decision),
  next: ({ id }) => `/device/${id}`,
});

/**
 * Claims the request with the entered code, then redirects to the request's page or back to the
 * form.
 */
export const enterDeviceCode = ownerAction({
  name: "consent.enter-code",
  input: z.object({
    user_code: z
      .string()
      .transform((typed) => typed.slice(0, 100))
      .default(""),
  }),
  run: (owner, { user_code }) => claimDeviceCode(owner, user_code),
  next: (_, { id }) => `/device/${id}`,
  errorPage: ({ user_code = "" }, { status }) =>
    status === 400 || status === 404
      ? `/device?${new URLSearchParams({ user_code: String(user_code).slice(0, 100), wrong: "1" })}`
      : undefined,
  failure: {
    title: "Couldn’t connect the device",
    advice: "Nothing was shared. Go back and enter the code again.",
    signedOut: "Your session has ended. Sign in again.",
  },
});
