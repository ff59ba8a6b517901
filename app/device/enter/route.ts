import { errorResponse, redirectTo, signedIn } from "@/app/consent-handler";
import { AppError } from "@/lib/errors";
import { claimDeviceCode } from "@/lib/oauth/device";
import { formOf, wantsJson } from "@/lib/web/read-form";

/** Handles a typed device code: redirects to the device's request, or back to the field. */
export async function POST(request: Request): Promise<Response> {
  let typed = "";
  try {
    const owner = await signedIn();
    typed = String((await formOf(request)).get("user_code") ?? "").slice(0, 100);
    const { id } = await claimDeviceCode(owner, typed);
    return redirectTo(request, `/device/${id}`);
  } catch (error) {
    const wrong = error instanceof AppError && (error.status === 400 || error.status === 404);
    if (wrong && !wantsJson(request)) {
      return redirectTo(request, `/device?${new URLSearchParams({ user_code: typed, wrong: "1" })}`);
    }
    return errorResponse(request, error, {
      title: "Device not connected",
      advice: "Nothing was shared. Try again on the page where you typed the code.",
    });
  }
}
