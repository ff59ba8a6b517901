"use client";
import { useState } from "react";
import { lazyComponent } from "@/components/layout/lazy-component";
import type { PreviewedApp } from "./consent-preview";
import { type DeclaredScope, purposeField } from "./scope-fields";

/** Loaded only when the owner starts to fill in the form. */
const ConsentPreview = lazyComponent(() => import("./consent-preview").then((it) => it.ConsentPreview));

type PreviewedProps = {
  app: PreviewedApp;
  scopes: readonly DeclaredScope[];
  /**
   * A form with any of the fields `name`, `redirectUris`, `scopes`, `required` and the purposes.
   * Content with `data-unpreviewed` hides the preview.
   */
  children: React.ReactNode;
};

/** A form for an app, with a live preview of the app's consent screen. */
export function WithConsentPreview({ app, scopes, children }: PreviewedProps) {
  const [typed, setTyped] = useState({ app, scopes });
  const [begun, setBegun] = useState(false);
  return (
    <div className="group grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,6fr)_minmax(0,5fr)]">
      <div
        className="min-w-0"
        onChange={(event) => {
          const form = event.currentTarget.querySelector("form");
          if (form) setTyped(read(new FormData(form), { app, scopes }));
          setBegun(true);
        }}
      >
        {children}
      </div>
      <div className="min-w-0 group-has-[[data-unpreviewed]]:hidden lg:sticky lg:top-5">
        <figure className="grid gap-2">
          <figcaption>
            <span className="font-medium">Consent screen preview</span>
            <span className="block text-muted">
              {begun
                ? "The preview updates as you type. It isn’t interactive."
                : "Fill in the form to preview the consent screen."}
            </span>
          </figcaption>
          {begun ? <ConsentPreview {...typed} /> : null}
        </figure>
      </div>
    </div>
  );
}

function read(form: FormData, { app, scopes }: Pick<PreviewedProps, "app" | "scopes">) {
  const text = (name: string, otherwise: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value.trim() : otherwise;
  };
  const [requested, required] = [form.getAll("scopes"), form.getAll("required")];
  return {
    app: { ...app, name: text("name", app.name), redirectUri: firstLine(text("redirectUris", app.redirectUri)) },
    scopes: scopes.map((scope) => ({
      ...scope,
      requested: requested.includes(scope.scope),
      purpose: text(purposeField(scope.scope), ""),
      required: required.includes(scope.scope),
    })),
  };
}

const firstLine = (text: string) => text.split("\n")[0]?.trim() ?? "";
