/**
 * Acts as a person in a browser at our test identity provider: chooses an account, selects scopes,
 * and allows or denies the request.
 * @param location the client's redirect to the provider
 * @param answer by default, selects all scopes and allows
 * @returns the redirect back to the client, not yet followed
 */
export async function signInByScript(
  location: string,
  { account, scopes, allow = true }: { account: string; scopes?: readonly string[]; allow?: boolean },
): Promise<URL> {
  const { origin } = new URL(location);
  const cookies = new Map<string, string>();
  let next = new URL(location);
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 12; step++) {
    const reply = await fetch(next, {
      method: form ? "POST" : "GET",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "), accept: "text/html" },
      redirect: "manual",
      ...(form && { body: form }),
    });
    for (const each of reply.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      cookies.set(name, value);
    }
    const onward = reply.headers.get("location");
    if (onward) {
      next = new URL(onward, next);
      form = undefined;
      if (next.origin !== origin) return next;
      continue;
    }
    const page = await reply.text();
    if (reply.status !== 200 || form) throw new Error(`The provider answered ${reply.status} at ${next.pathname}`);
    form = page.includes('name="decision"') ? decide(page, scopes, allow) : new URLSearchParams({ account });
  }
  throw new Error("The provider's pages lead nowhere");
}

function decide(page: string, scopes: readonly string[] | undefined, allow: boolean): URLSearchParams {
  const offered = [...page.matchAll(/name="scope" value="([^"]+)"/g)].map(([, scope = ""]) => scope);
  const ticked = offered.filter((scope) => scopes?.includes(scope) ?? true);
  return new URLSearchParams([
    ["decision", allow ? "allow" : "deny"],
    ...ticked.map((scope) => ["scope", scope] as [string, string]),
  ]);
}
