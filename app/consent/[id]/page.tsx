import { notFound } from "next/navigation";
import { Asker } from "@/components/grants/asker";
import { ClosedRequest } from "@/components/grants/closed-request";
import { ConsentForm } from "@/components/grants/consent-form";
import { Mark } from "@/components/ui/icons";
import { AppError } from "@/lib/errors";
import { readConsent } from "@/lib/grants/consent";
import type { ConsentView } from "@/lib/grants/schema";
import { requireOwner } from "@/lib/web/session";

export const metadata = { title: "Permission", referrer: "no-referrer" as const };

export default async function Consent({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const owner = await requireOwner();
  const view = await readOpen(readConsent(owner, id));
  if (!("csrf" in view)) return <ClosedRequest status={view.status} />;
  return (
    <div className="mx-auto max-w-5xl px-4 pt-3 sm:px-8 sm:pt-5">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <p className="flex items-center gap-2.5 text-base font-semibold tracking-tight">
          <Mark className="size-7" />
          Countersign
        </p>
        <form action="/sign-out" method="post" className="flex min-w-0 items-center gap-1 text-muted">
          <input type="hidden" name="next" value={`/consent/${id}`} />
          <span>
            Signed in as <span className="text-text">{owner.email}</span>
          </span>
          <button type="submit" className="link inline-flex min-h-11 items-center px-2 sm:min-h-8">
            Not you?
          </button>
        </form>
      </header>
      <main className="grid items-start gap-x-8 gap-y-4 py-3 sm:py-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
        <Asker view={view} />
        <ConsentForm view={view} fresh={owner.fresh} />
      </main>
    </div>
  );
}

/** The request while it can be decided; else why it cannot. */
async function readOpen(reading: Promise<ConsentView>): Promise<ConsentView | { status: number }> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof AppError && error.status === 404) notFound();
    if (error instanceof AppError && error.status < 500) return { status: error.status };
    throw error;
  }
}
