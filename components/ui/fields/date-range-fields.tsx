import { Button } from "@/components/ui/button";
import { Field, TextInput } from "./field";

type DateRangeFieldsProps = {
  from: string | undefined;
  to: string | undefined;
  /** Classes of the inputs and of the button. */
  input: string;
  button: string;
};

/** The last fields of a filter form: the first day, the last day and the submit button. */
export function DateRangeFields({ from = "", to = "", input, button }: DateRangeFieldsProps) {
  return (
    <>
      <Field label="From" name="from">
        <TextInput type="date" className={input} defaultValue={from} />
      </Field>
      <Field label="To" name="to">
        <TextInput type="date" className={input} defaultValue={to} />
      </Field>
      <Button type="submit" className={button}>
        Apply{" "}
      </Button>
    </>
  );
}
