import { CopyButton } from "./copy-button";

type SecretProps = { label: string; text: string };

/** Something to copy: an id, a secret shown this once, a command. Wraps and is never cut. */
export function Secret({ label, text }: SecretProps) {
  return (
    <div className="rounded-lg border border-line bg-bg p-3">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium">{label}</span>
        <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
      </div>
      <pre className="mono whitespace-pre-wrap break-all select-all">{text}</pre>
    </div>
  );
}
