"use client";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, TextArea } from "@/components/ui/fields/field";
import { hasCamera, NoCamera, scanQrCode, textOfFile } from "@/lib/lens/qr-reader";

type TextSourceProps = {
  /** The form field's name and label. */
  name: string;
  label: string;
  hint?: string;
  /** The label of the button that takes the pasted text. */
  submit: string;
  /** Whether the text can come from a QR code. */
  scans?: boolean;
  onText: (text: string) => void;
  onError: (sentence: string) => void;
};

/** Takes a text that the reader pastes, chooses as a file, or scans as a QR code. */
export function TextSource({ name, label, hint, submit, scans = false, onText, onError }: TextSourceProps) {
  const file = useRef<HTMLInputElement>(null);
  const takeFile = async (chosen: File | undefined) => {
    if (!chosen) return;
    await textOfFile(chosen).then(onText, (problem: Error) => onError(problem.message));
    if (file.current) file.current.value = "";
  };
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onText(String(new FormData(event.currentTarget).get(name) ?? ""));
      }}
    >
      <Field name={name} label={label} {...(hint && { hint })}>
        <TextArea rows={4} spellCheck={false} autoComplete="off" className="font-mono" />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary">
          {submit}
        </Button>
        <input
          ref={file}
          type="file"
          hidden
          accept={scans ? "image/*,.jws,.json,.txt" : ".json,.txt"}
          onChange={(event) => void takeFile(event.target.files?.[0])}
        />
        <Button onClick={() => file.current?.click()}>Choose a file</Button>
        {scans ? <Scanner onText={onText} onError={onError} /> : null}
      </div>
    </form>
  );
}

/** The button that reads a QR code with the camera. */
function Scanner({ onText, onError }: Pick<TextSourceProps, "onText" | "onError">) {
  const video = useRef<HTMLVideoElement>(null);
  const [search, setSearch] = useState<AbortController>();
  useEffect(() => () => search?.abort(), [search]);
  if (!hasCamera())
    return (
      <p className="w-full text-muted">
        This browser offers no camera to this page. To read a QR code, choose a picture of it.
      </p>
    );
  const scan = async () => {
    const searching = new AbortController();
    setSearch(searching);
    try {
      const text = await scanQrCode(video.current as HTMLVideoElement, searching.signal);
      if (text !== undefined) onText(text);
    } catch (problem) {
      onError(problem instanceof NoCamera ? problem.message : "The camera stopped. Try again.");
    }
    setSearch(undefined);
  };
  return (
    <>
      {search ? (
        <Button onClick={() => search.abort()}>Stop the camera</Button>
      ) : (
        <Button onClick={() => void scan()}>Scan a QR code</Button>
      )}
      <video ref={video} muted playsInline hidden={!search} aria-label="Camera" className="w-full rounded-lg bg-fill" />
    </>
  );
}
