import { env } from "@/lib/config/env";

/** Whether owners can reach the service only by https. */
export const isSecure = (): boolean => env().publicUrl.startsWith("https:");

/**
 * Returns a cookie's full name. With https, the prefix keeps other hosts from setting the cookie.
 */
export const cookieName = (name: string): string => `${isSecure() ? "__Host-" : ""}countersign-${name}`;

/**
 * Returns the name and options of a cookie that scripts can't read.
 * @param more additional options
 */
export const privateCookie = <More extends object>(name: string, more: More) => ({
  name: cookieName(name),
  options: { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure(), ...more } as const,
});
