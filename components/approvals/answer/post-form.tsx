"use client";
import { useActionState } from "react";
import type { Post } from "@/components/approvals/types";
import { Notice } from "@/components/ui/notice";

type PostFormProps = {
  /** Where it goes without scripts; with them too, where there is no `onSend`. */
  post: Post;
  /** With scripts. */
  onSend?: (form: FormData) => void;
  /** Sent along, as hidden fields. */
  fields: Record<string, string>;
  className?: string;
  children: React.ReactNode;
};

/** A form of the inbox that works with scripts and without. Its children are its buttons. */
export function PostForm({ post, onSend, fields, className = "contents", children }: PostFormProps) {
  const [posted, send] = useActionState(post, null);
  return (
    <form
      action={send}
      {...(onSend
        ? {
            onSubmit: (event: React.FormEvent<HTMLFormElement>) => {
              event.preventDefault();
              const { submitter } = event.nativeEvent as SubmitEvent;
              onSend(new FormData(event.currentTarget, submitter));
            },
          }
        : {})}
      className={className}
    >
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      {posted && !posted.ok ? <Notice tone="danger">{posted.message}</Notice> : null}
    </form>
  );
}
