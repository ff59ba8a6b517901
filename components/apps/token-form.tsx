"use client";
import { OwnerActionForm } from "@/components/actions/owner-action-form";
import { Checkbox } from "@/components/ui/fields/checkbox";
import { Field, Select, TextInput } from "@/components/ui/fields/field";
import { WarningIcon } from "@/components/ui/icons";
import { Notice } from "@/components/ui/notice";
import { Secret } from "@/components/ui/secret";
import { SubmitButton } from "@/components/ui/submit-button";
import { ExactTime } from "@/components/ui/time/exact-time";
import type { ActOutput } from "@/lib/web/owner-actions";
import { addToAgent, firstQuestion } from "./first-question";

/** `ticked`: in advance, because the app said that it will ask for it. Never what is sensitive. */
export type ScopeLine = { scope: string; sentence: string; sensitive: boolean; ticked: boolean };

type TokenFormProps = {
  clientId: string;
  scopes: readonly ScopeLine[];
  /** Where the service is reached: an origin. */
  baseUrl: string;
};

/** Make a personal token, scope by scope. It is shown in the form's place, this once, with a command that uses it. */
export function TokenForm({ clientId, scopes, baseUrl }: TokenFormProps) {
  return (
    <OwnerActionForm
      act="token.create"
      fields={{ clientId }}
      className="grid max-w-2xl gap-5"
      success={(made) => <MadeToken {...made} baseUrl={baseUrl} />}
    >
      <fieldset>
        <legend className="font-medium">What it may do</legend>
        {scopes.map(({ scope, sentence, sensitive, ticked }) => (
          <Checkbox
            key={scope}
            name="scopes"
            value={scope}
            defaultChecked={ticked && !sensitive}
            label={
              <>
                {sensitive ? <WarningIcon className="me-1.5 inline size-4 align-[-2px] text-warn" /> : null}
                {sentence}
              </>
            }
            detail={
              <>
                <span className="mono">{scope}</span>
                {sensitive ? " It can then say yes to itself." : null}
              </>
            }
          />
        ))}
      </fieldset>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Opens" name="resource">
          <Select defaultValue="api" options={{ api: "The API, for programs and scripts", mcp: "MCP, for agents" }} />
        </Field>
        <Field label="Works for" name="days">
          <Select defaultValue="90" options={{ 1: "1 day", 30: "30 days", 90: "90 days", 366: "366 days" }} />
        </Field>
        <Field label="Name (optional)" name="name">
          <TextInput maxLength={100} autoComplete="off" placeholder="Laptop" />
        </Field>
      </div>
      <div>
        <SubmitButton variant="primary">Create token</SubmitButton>
      </div>
    </OwnerActionForm>
  );
}

type MadeTokenProps = ActOutput<"token.create"> & { baseUrl: string };

function MadeToken({ token, expiresAt, scopes, owner, resource, baseUrl }: MadeTokenProps) {
  return (
    <div className="grid gap-4">
      <Notice tone="ok" title="Token created">
        Copy it now. It is not kept and cannot be shown again. It works until <ExactTime at={expiresAt} />.
      </Notice>
      <Secret label="Token" text={token} />
      <p>Receipts and webhooks name you by this id. Programs that check them compare it:</p>
      <Secret label="Owner id" text={owner} />
      {resource === "mcp" ? (
        <>
          <p>Add it to an agent, like Claude Code:</p>
          <Secret label="Command" text={addToAgent(baseUrl, token)} />
        </>
      ) : scopes.includes("approvals:write") ? (
        <>
          <p>Send yourself a first question from a terminal:</p>
          <Secret label="Command" text={firstQuestion(baseUrl, token)} />
        </>
      ) : null}
    </div>
  );
}
