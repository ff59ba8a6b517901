import { Button } from "@/components/ui/button";
import type { ConsentOffer } from "@/lib/grants/schema";
import { ScopeBox } from "./consent-fields";

type RequestedProps = {
  view: ConsentOffer;
  fresh: boolean;
  plain: ConsentOffer["requested"];
  sensitive: ConsentOffer["requested"];
  isNew: boolean;
  count: () => void;
  /** Undefined if it would change nothing. */
  selectAll: (() => void) | undefined;
};

/** The permissions that the app asks for, the sensitive ones last. */
export const RequestedScopes = ({ view, fresh, plain, sensitive, isNew, count, selectAll }: RequestedProps) => (
  <fieldset onChange={count}>
    <div className="flex min-h-11 items-center justify-between gap-3 sm:min-h-9">
      <legend className="float-start text-base font-semibold">
        <bdi>{view.app.name}</bdi> wants to
      </legend>
      {selectAll ? (
        <Button variant="quiet" size="small" className="whitespace-nowrap" onClick={selectAll}>
          Select all
        </Button>
      ) : null}
    </div>
    {plain.map((each) => (
      <ScopeBox key={each.scope} request={each} isNew={isNew} />
    ))}
    {sensitive.map((each) => (
      <div key={each.scope} className="mt-1.5 rounded-lg border border-warn bg-warn-soft px-3">
        <ScopeBox request={each} isNew={isNew} />
        {fresh ? null : <p className="pb-2.5 ps-8">We’ll ask you to sign in again before this is allowed.</p>}
      </div>
    ))}
  </fieldset>
);
