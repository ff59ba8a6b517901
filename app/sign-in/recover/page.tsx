import Link from "next/link";
import { Doorway } from "@/components/layout/doorway";
import { RecoveryForm } from "@/components/owners/recovery-form";
import { env } from "@/lib/env";
import { localPath } from "@/lib/web/next-path";
import { recover } from "./actions";

export const metadata = { title: "Lost your password" };

export default async function Recover({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const { next } = await searchParams;
  const path = localPath(typeof next === "string" ? next : "");
  const back = `next=${encodeURIComponent(path)}`;
  return (
    <Doorway
      title="Lost your password?"
      lead="Use one of your saved recovery codes. It works once; then you choose a new password."
    >
      <RecoveryForm action={recover} next={path} />
      <p className="text-muted">
        {env().mail ? (
          <>
            No code at hand?{" "}
            <Link href="/sign-in/link" className="link">
              Get a link by e-mail
            </Link>
            .{" "}
          </>
        ) : null}
        <Link href={`/sign-in?${back}`} className="link">
          Back to sign-in
        </Link>
      </p>
    </Doorway>
  );
}
