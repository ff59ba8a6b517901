import { Mark } from "@/components/ui/icons";

type DoorwayProps = { title: string; lead?: React.ReactNode; children?: React.ReactNode };

/** The frame of pages outside the owner's rooms: one sheet with the product's mark above it. */
export function Doorway({ title, lead, children }: DoorwayProps) {
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-md content-center gap-6 px-4 py-8 sm:px-6">
      <p className="flex items-center gap-2.5 text-base font-semibold tracking-tight">
        <Mark />
        Countersign
      </p>
      <div className="grid gap-5 rounded-2xl border border-line bg-raised p-5 shadow-card sm:p-7">
        <div className="grid gap-1.5">
          <h1 className="text-xl">{title}</h1>
          {lead ? <div className="text-muted">{lead}</div> : null}
        </div>
        {children}
      </div>
    </main>
  );
}
