"use client";
import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { Checkbox } from "@/components/ui/fields/checkbox";
import { Field, Select, TextInput } from "@/components/ui/fields/field";
import { WarningIcon } from "@/components/ui/icons";
import { Notice } from "@/components/ui/notice";
import { Secret } from "@/components/ui/secret";
import { SubmitButton } from "@/components/ui/submit-button";
import { absoluteTime } from "@/components/ui/time/relative-time";
import { addToAgent, firstQuestion } from "./first-question";

/** `expiresAt` in epoch milliseconds; `owner`: the id of whose it is; `resource`: what it opens. */
export type NewToken = {
  token: string;
  expiresAt: number;
  scopes: readonly string[];
  owner: string;
  resource: "api" | "mcp";
};
/** `ticked`: in advance, because the app said that it will ask for it. Never what is sensitive. */
export type ScopeLine = { scope: string; sentence: string; sensitive: boolean; ticked: boolean };

type TokenFormProps = {
  action: FormAction<NewToken>;
  clientId: string;
  scopes: readonly ScopeLine[];
  /** Where the service is reached: an origin. */
  baseUrl: string;
};

/** Make a personal token, scope by scope. It is shown in the form's place, this once, with a command that uses it. */
export function TokenForm({ action, clientId, scopes, baseUrl }: TokenFormProps) {
  return (
    <ActionForm
      action={action}
      className="grid max-w-2xl gap-5"
      success={(made) => <MadeToken {...made} baseUrl={baseUrl} />}
    >
      <input type="hidden" name="clientId" value={clientId} />
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
                {sensitive ? <WarningIcon className="mr-1.5 inline size-4 align-[-2px] text-warn" /> : null}
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
          <Select defaultValue="api">
            <option value="api">The API, for programs and scripts</option>
            <option value="mcp">MCP, for agents</option>
          </Select>
        </Field>
        <Field label="Works for" name="days">
          <Select defaultValue="90">
            <option value="1">1 day</option>
            <option value="30">30 days</option>
            <option value="90">90 days</option>
            <option value="366">366 days</option>
          </Select>
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

function MadeToken({ token, expiresAt, scopes, owner, resource, baseUrl }: NewToken & { baseUrl: string }) {
  return (
    <div className="grid gap-4">
      <Notice tone="ok" title="Token created">
        Copy it now. It is not kept and cannot be shown again. It works until {absoluteTime(expiresAt)}.
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
