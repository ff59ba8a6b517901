"use client";
import { ActionForm } from "@/components/actions/action-form";
import { CopyableValue } from "@/components/ui/copyable-value";
import { Checkbox } from "@/components/ui/fields/checkbox";
import { Field, Select, TextInput } from "@/components/ui/fields/field";
import { WarningIcon } from "@/components/ui/icons";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import { ExactTime } from "@/components/ui/time/time-ago";
import type { ActionOutput } from "@/lib/web/action-registry";
import { addToAgent, firstQuestion } from "./sample-commands";

/**
 * `selected` means selected by default, because the app declares the scope. Sensitive scopes are
 * never selected by default.
 */
export type ScopeLine = { scope: string; sentence: string; sensitive: boolean; selected: boolean };

type TokenFormProps = {
  clientId: string;
  scopes: readonly ScopeLine[];
  /** The service's origin. */
  baseUrl: string;
};

/**
 * The form that creates a personal token with chosen scopes. The new token replaces the form, and
 * is shown once, with a command that uses the token.
 */
export function TokenForm({ clientId, scopes, baseUrl }: TokenFormProps) {
  return (
    <ActionForm
      act="token.create"
      fields={{ clientId }}
      className="grid max-w-2xl gap-5"
      success={(made) => <MadeToken {...made} baseUrl={baseUrl} />}
    >
      <fieldset>
        <legend className="font-medium">Permissions</legend>
        {scopes.map(({ scope, sentence, sensitive, selected }) => (
          <Checkbox
            key={scope}
            name="scopes"
            value={scope}
            defaultChecked={selected && !sensitive}
            label={
              <>
                {sensitive ? <WarningIcon className="me-1.5 inline size-4 align-[-2px] text-warn" /> : null}
                {sentence}
              </>
            }
            detail={
              <>
                <span className="mono">{scope}</span>
                {sensitive ? " With this permission, the app can approve its own requests." : null}
              </>
            }
          />
        ))}
      </fieldset>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Use with" name="resource">
          <Select defaultValue="api" options={{ api: "The API, for programs and scripts", mcp: "MCP, for agents" }} />
        </Field>
        <Field label="Valid for" name="days">
          <Select defaultValue="90" options={{ 1: "1 day", 30: "30 days", 90: "90 days", 366: "366 days" }} />
        </Field>
        <Field label="Name (optional)" name="name">
          <TextInput maxLength={100} autoComplete="off" placeholder="Laptop" />
        </Field>
      </div>
      <div>
        <SubmitButton variant="primary">Create token</SubmitButton>
      </div>
    </ActionForm>
  );
}

type MadeTokenProps = ActionOutput<"token.create"> & { baseUrl: string };

function MadeToken({ token, expiresAt, scopes, owner, resource, baseUrl }: MadeTokenProps) {
  return (
    <div className="grid gap-4">
      <Notice tone="ok" title="Token created">
        Copy the token now. It can’t be shown again. The token works until <ExactTime at={expiresAt} />.
      </Notice>
      <CopyableValue label="Token" text={token} />
      <p>
        Receipts and webhooks identify you by this ID. When you verify a receipt or webhook, check that the ID matches:
      </p>
      <CopyableValue label="Owner ID" text={owner} />
      {resource === "mcp" ? (
        <>
          <p>Add the token to an agent, like Claude Code:</p>
          <CopyableValue label="Command" text={addToAgent(baseUrl, token)} />
        </>
      ) : scopes.includes("approvals:write") ? (
        <>
          <p>Send yourself a test question from a terminal:</p>
          <CopyableValue label="Command" text={firstQuestion(baseUrl, token)} />
        </>
      ) : null}
    </div>
  );
}
