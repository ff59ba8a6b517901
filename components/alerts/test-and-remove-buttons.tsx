import { ActionForm } from "@/components/actions/action-form";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { SubmitButton } from "@/components/ui/submit-button";

type TestOrRemoveProps = { kind: "channel" | "device"; id: string; name: string; children: React.ReactNode };

/** The test and remove buttons of a browser or channel. `children` describes what removal does. */
export const TestOrRemove = ({ kind, id, name, children }: TestOrRemoveProps) => (
  <>
    <ActionForm
      act={`${kind}.test`}
      fields={{ id }}
      done="Test alert sent. It should arrive in a moment."
      className="grid gap-2"
    >
      <SubmitButton size="small">
        Send a test alert<span className="sr-only">: {name}</span>
      </SubmitButton>
    </ActionForm>
    <ConfirmButton
      act={`${kind}.remove`}
      fields={{ id }}
      label="Remove"
      about={name}
      question={`Stop alerts on ${name}?`}
      confirm="Remove"
    >
      {children}
    </ConfirmButton>
  </>
);
