type RadioProps = Omit<React.ComponentProps<"input">, "type" | "children"> & { title: string; detail: string };

/** A radio button with its label. The whole row is clickable. */
export const Radio = ({ title, detail, ...rest }: RadioProps) => (
  <label className="flex min-h-11 items-start gap-3 py-1.5">
    <input type="radio" {...rest} className="mt-0.5 size-4.5 shrink-0 accent-ink" />
    <span>
      <span className="font-medium">{title}</span> <span className="block text-muted">{detail}</span>
    </span>
  </label>
);
