import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { Field, TextInput } from "@/components/ui/fields/field";
import { SubmitButton } from "@/components/ui/submit-button";

type RenameFormProps = { action: FormAction; id: string; label: string | undefined; email: string };

/** The owner's own name for an account. */
export const RenameForm = ({ action, id, label = "", email }: RenameFormProps) => (
  <ActionForm action={action} done="Saved." className="grid gap-3">
    <input type="hidden" name="id" value={id} />
    <Field
      label="Your name for it"
      name="label"
      hint="Like “Work”: at most 40 characters. Apps never see it. Empty, it goes by its address."
    >
      {/* A new field when the saved name has changed, so that it starts from what is saved. */}
      <TextInput key={label} defaultValue={label} placeholder={email} maxLength={80} autoComplete="off" />
    </Field>
    <div>
      <SubmitButton size="small" className="max-sm:min-h-12! max-sm:w-full">
        Save name
      </SubmitButton>
    </div>
  </ActionForm>
);
