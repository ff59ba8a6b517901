import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { type AllowedScope, GrantedScopes } from "./granted-scopes";

// The forms need a router, but no test submits one.
const router = {} as AppRouterInstance;

const html = (scopes: AllowedScope[]) =>
  renderToStaticMarkup(
    <AppRouterContext value={router}>
      <GrantedScopes clientId="app_1" name="Courier" scopes={scopes} />
    </AppRouterContext>,
  );
const statusOf = (scopes: AllowedScope[]) =>
  html(scopes)
    .match(/<p role="status"[^>]*>(.*?)<\/p>/)?.[1]
    ?.replace(/<[^>]*>/g, "");

const revoked = { scope: "notifications:write", sentence: "Send you notifications", sensitive: false, leftMs: 9000 };
const granted = { scope: "approvals:write", sentence: "Ask you questions", sensitive: false, grantedAt: 0 };

test("names only the revoked permission in the status text", () => {
  expect(statusOf([granted, revoked])).toBe("Courier can no longer send you notifications.");
  expect(statusOf([granted])).toBe("");
});

test("announces to screen readers that a revoked permission can be restored", () => {
  expect(html([granted, revoked])).toContain(
    '<span class="sr-only">Permission turned off. You can undo the change for 10 seconds.</span>',
  );
});
