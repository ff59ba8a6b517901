import { createHash } from "node:crypto";

/** A person with an account at the provider. `id` is the subject in its tokens. */
export type Person = { id: string; called: string; email: string };

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; background: light-dark(#f6f5f2, #16181b); color: light-dark(#1c1d20, #ecebe8); }
main { box-sizing: border-box; max-width: 26rem; margin: 0 auto; padding: 2.5rem 1.25rem; }
h1 { font-size: 1.375rem; line-height: 1.3; margin: 0 0 .5rem; }
p { margin: 0 0 1rem; }
.by { font-weight: 600; color: light-dark(#6b3fa0, #c6a5ee); }
form { display: grid; gap: .75rem; }
fieldset { border: 1px solid light-dark(#c9c6be, #44484f); border-radius: .75rem; margin: 0; padding: .5rem 1rem; }
legend { padding: 0 .25rem; font-weight: 600; }
label { display: flex; align-items: center; gap: .75rem; min-height: 2.75rem; }
label.above { display: grid; gap: .25rem; }
input[type=checkbox] { inline-size: 1.25rem; block-size: 1.25rem; margin: 0; flex: none; accent-color: light-dark(#6b3fa0, #c6a5ee); }
input[type=text], button { font: inherit; border-radius: .75rem; border: 1px solid light-dark(#8a867b, #70757d); padding: .625rem 1rem; min-height: 3rem; }
input[type=text] { background: light-dark(#fff, #1f2226); color: inherit; }
button { background: light-dark(#fff, #24282d); color: inherit; text-align: start; cursor: pointer; }
button.yes { background: light-dark(#6b3fa0, #c6a5ee); border-color: transparent; color: light-dark(#fff, #1c1d20); font-weight: 600; text-align: center; }
button.no { text-align: center; }
small { display: block; color: light-dark(#5b584f, #b3b1ab); }
:focus-visible { outline: 2px solid light-dark(#6b3fa0, #c6a5ee); outline-offset: 2px; }
`;

/**
 * The pages' Content-Security-Policy. It omits form-action, because browsers also apply that
 * directive to the redirect after a form.
 */
export const policy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; base-uri 'none'; frame-ancestors 'none'`;

const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

const page = (provider: string, title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)} · ${escaped(provider)}</title><style>${style}</style></head><body><main><p class="by">${escaped(provider)}</p><h1>${escaped(title)}</h1>${body}</main></body></html>`;

type About = { provider: string; asker: string; action: string };

/** Returns the sign-in page, which accepts any name. */
export function signInPage({ provider, asker, action }: About, hint: string) {
  const account = `<label class="above">Account<input type="text" name="account" value="${escaped(hint)}" required pattern="[a-z0-9.-]{1,60}" autocomplete="off" autocapitalize="none" autofocus></label><button class="yes">Continue</button>`;
  return page(
    provider,
    "Who are you?",
    `<p>To go on to ${escaped(asker)}, choose an account. Everything here is made up and needs no password.</p><form method="post" action="${escaped(action)}">${account}</form>`,
  );
}

/** Returns the consent page. @param scopes the requested scopes, each with its sentence */
export function consentPage(
  { provider, asker, action }: About,
  person: Person,
  scopes: readonly (readonly [scope: string, sentence: string])[],
) {
  const boxes = scopes.map(
    ([scope, sentence]) =>
      `<label><input type="checkbox" name="scope" value="${escaped(scope)}" checked>${escaped(sentence)}</label>`,
  );
  const list = boxes.length > 0 ? `<fieldset><legend>And, if you like</legend>${boxes.join("")}</fieldset>` : "";
  return page(
    provider,
    `Let ${asker} in?`,
    `<p>You are <strong>${escaped(person.called)}</strong> (${escaped(person.email)}). ${escaped(asker)} will know who you are.</p><form method="post" action="${escaped(action)}">${list}<button class="yes" name="decision" value="allow">Allow</button><button class="no" name="decision" value="deny">Deny</button></form>`,
  );
}

export const errorPage = (provider: string, error: string) =>
  page(provider, "That did not work", `<p>${escaped(error)}</p><p>Go back to where you came from and start over.</p>`);
