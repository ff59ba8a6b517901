import { AppError, badRequest } from "@/lib/errors";

/** Returns a 409 for an answer without the signature that it needs. Nothing was decided. */
export const unsignedAnswer = () => new UnsignedAnswer();
export class UnsignedAnswer extends AppError {
  constructor() {
    const message = "Sign this answer with your passkey.";
    super(409, message, { details: [{ path: "", message, reason: "unsigned" }] });
  }
}

/** Returns a 400 for a signature that is invalid, too old, or for another answer. */
export const invalidSignature = () =>
  badRequest("Couldn’t verify your signature. Answer again, and sign with your passkey.", "signature");

/** Returns a 422 for an app that requires a signature in a lens, if the operator has no lens. */
export const noLens = () => {
  const message =
    "This service has no lens. Ask its operator to serve one from another origin (LENS_ORIGINS), or send signedByOwner: true.";
  return new AppError(422, message, { details: [{ path: "signedByOwner", message }] });
};

/** Returns a 422 for an app that requires a signature from an owner who has no passkey. */
export const ownerCannotSign = () => {
  const message =
    'The owner has no passkey and can’t sign. Ask the owner to add one in Settings › Security, or send signedByOwner: "when-possible".';
  return new AppError(422, message, { details: [{ path: "signedByOwner", message }] });
};
