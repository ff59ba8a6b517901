import { env } from "@/lib/config/env";

/** Whether owners can reach the service only by https. */
export const isSecure = (): boolean => env().publicUrl.startsWith("https:");

/** A cookie's full name. With https, the prefix prevents other hosts from setting the cookie. */
export const cookieName = (name: string): string => `${isSecure() ? "__Host-" : ""}countersign-${name}`;

/** A cookie that scripts can't read. @param more additional attributes */
export const privateCookie = <More extends object>(name: string, more: More) => ({
  name: cookieName(name),
  options: { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure(), ...more } as const,
});
