import { cookies, headers } from "next/headers";
import { browserSeconds } from "@/lib/owners/device-cookie";
import type { SignInOrigin } from "@/lib/owners/sign-in-limits";
import { privateCookie } from "./cookie-options";

/**
 * Returns the name and options of the cookie that marks browsers in which an owner has signed in
 * (`lib/owners/device-cookie.ts`).
 */
export const browserCookie = () => privateCookie("browser", { maxAge: browserSeconds });

/** Returns the request's address, as the server reports it, and the browser's device cookie. */
export async function visitor(): Promise<Required<SignInOrigin>> {
  const [jar, head] = await Promise.all([cookies(), headers()]);
  return { address: head.get("x-countersign-address") ?? "", browser: jar.get(browserCookie().name)?.value ?? "" };
}

/** Marks this browser as one in which the owner has signed in. For route handlers only. */
export async function rememberBrowser(mark: string): Promise<void> {
  const { name, options } = browserCookie();
  (await cookies()).set(name, mark, options);
}
