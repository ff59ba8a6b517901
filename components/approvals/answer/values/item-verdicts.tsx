"use client";
import { useRef } from "react";
import { Button } from "@/components/ui/button";
import { useHydrated } from "@/components/ui/use-hydrated";
import type { ItemsField, Verdict } from "@/lib/approvals/fields/field-schema";
import { controlName } from "@/lib/approvals/fields/form-values";

type ItemVerdictsProps = {
  /** The ID of the form. */
  form: string;
  name: string;
  field: ItemsField;
  typed: Readonly<Record<string, string>>;
  wires: { "aria-describedby"?: string; "aria-invalid"?: true };
};

const words: Record<Verdict, string> = { approve: "Approve", reject: "Reject" };
const verdicts = Object.keys(words) as Verdict[];

/**
 * Rows that the owner approves or rejects, one by one or all together. In a row, A approves, R
 * rejects, and the focus moves to the next row.
 */
export function ItemVerdicts({ form, name, field, typed, wires }: ItemVerdictsProps) {
  const list = useRef<HTMLUListElement>(null);
  const alive = useHydrated();
  const radiosOf = (row: Element) => [...row.querySelectorAll<HTMLInputElement>("input")];
  const decide = (row: Element, verdict: Verdict) =>
    radiosOf(row)
      .find((it) => it.value === verdict)
      ?.click();
  return (
    <>
      {alive && field.items.length > 1 ? (
        <div className="flex flex-wrap gap-2">
          {verdicts.map((verdict) => (
            <Button
              key={verdict}
              size="small"
              onClick={() => {
                for (const row of list.current?.children ?? []) decide(row, verdict);
              }}
            >
              {words[verdict]} all
            </Button>
          ))}
        </div>
      ) : null}
      <ul
        ref={list}
        className="divide-y divide-line"
        onKeyDown={(event) => {
          const verdict = { a: "approve", r: "reject" }[event.key] as Verdict | undefined;
          const row = (event.target as Element).closest("li");
          if (!verdict || !row || event.metaKey || event.ctrlKey || event.altKey) return;
          event.preventDefault();
          event.stopPropagation();
          decide(row, verdict);
          const next = row.nextElementSibling ?? row;
          const [first, ...others] = radiosOf(next);
          (others.find((it) => it.checked) ?? first)?.focus();
        }}
      >
        {field.items.map(({ id, label, note }) => {
          const control = controlName(name, id);
          const proposed = typed[control] ?? field.default?.[id];
          return (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 py-1.5">
              <div className="min-w-0 grow basis-40">
                <p id={`${form}-${name}-${id}`} dir="auto" className="font-medium">
                  {label}
                </p>
                {note ? (
                  <p dir="auto" className="text-muted">
                    {note}
                  </p>
                ) : null}
              </div>
              <div role="radiogroup" aria-labelledby={`${form}-${name}-${id}`} className="flex gap-4">
                {verdicts.map((verdict) => (
                  <label key={verdict} className="flex min-h-11 items-center gap-2 sm:min-h-10">
                    <input
                      type="radio"
                      {...{ form, name: control, value: verdict, ...wires }}
                      defaultChecked={proposed === verdict}
                      className="size-4.5 accent-ink"
                    />
                    {words[verdict]}
                  </label>
                ))}
              </div>
            </li>
          );
        })}
      </ul>
    </>
  );
}
