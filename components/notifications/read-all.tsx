import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { SubmitButton } from "@/components/ui/submit-button";

type ReadAllProps = { action: FormAction; upTo: string; app: string | undefined; narrowed: boolean };

/** Mark everything in this view read, down from the newest one shown: what arrives meanwhile stays unread. */
export function ReadAll({ action, upTo, app, narrowed }: ReadAllProps) {
  return (
    <ActionForm action={action} className="contents">
      <input type="hidden" name="upTo" value={upTo} />
      {app ? <input type="hidden" name="app" value={app} /> : null}
      <SubmitButton size="small">{narrowed ? "Mark these read" : "Mark all read"}</SubmitButton>
    </ActionForm>
  );
}
