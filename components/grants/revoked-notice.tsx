"use client";
import { useEffect, useRef } from "react";
import { Notice } from "@/components/ui/notice";

/**
 * Confirms that an app's access was revoked. The notice takes the focus, so that screen readers
 * read it.
 */
export function RevokedNotice({ name }: { name: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1} className="mb-4 outline-none">
      <Notice tone="ok">
        <bdi>{name}</bdi> no longer has access. Your history is kept.
      </Notice>
    </div>
  );
}
