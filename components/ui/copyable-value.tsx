import { CopyButton } from "./copy-button";

type SecretProps = { label: string; text: string };

/**
 * A value to copy, such as an ID, a secret or a command. Long values wrap and are never truncated.
 */
export function CopyableValue({ label, text }: SecretProps) {
  return (
    <figure className="rounded-lg border border-line bg-fill p-3">
      <div className="float-end -mt-1 ms-3">
        <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
      </div>
      <figcaption className="min-h-9 content-center font-medium">{label}</figcaption>
      <pre className="mono clear-both mt-1 whitespace-pre-wrap break-all select-all">{text}</pre>
    </figure>
  );
}
