import { cookies, headers } from "next/headers";
import { browserSeconds } from "@/lib/owners/device-cookie";
import type { SignInOrigin } from "@/lib/owners/sign-in-limits";
import { privateCookie } from "./cookie";

/** Says in which browsers an owner signed in before (`lib/owners/device-cookie.ts`). */
export const browserCookie = () => privateCookie("browser", { maxAge: browserSeconds });

/** Where the request came from, which the front tells us, and what its browser shows of earlier sign-ins. */
export async function visitor(): Promise<Required<SignInOrigin>> {
  const [jar, head] = await Promise.all([cookies(), headers()]);
  return {
    address: head.get("x-countersign-address") ?? "",
    browser: jar.get(browserCookie().name)?.value ?? "",
  };
}

/** Have this browser show that an owner signed in with it, in a server action or route handler. */
export async function rememberBrowser(mark: string): Promise<void> {
  const { name, options } = browserCookie();
  (await cookies()).set(name, mark, options);
}
