"use client";
import { useChoices } from "@/components/settings/preferences-provider";
import { SwitchSetting } from "@/components/settings/setting-controls";
import { singleKeys } from "@/components/settings/setting-definitions";
import { type KeyGroup, named } from "./key-bindings";
import { KeyCaps } from "./key-caps";

/** The shortcuts of this page, and a switch that turns off single-key shortcuts. */
export function Help({ keys }: { keys: KeyGroup[] }) {
  const { singleKeys: act } = useChoices();
  return (
    <>
      <div className="my-4 gap-8 sm:columns-2">
        {named(keys).map(({ name, bindings }) => (
          <section key={name} className="mb-5 break-inside-avoid">
            <h3 className="mb-1 text-muted">{name}</h3>
            <dl>
              {bindings.map(({ keys, description }) => (
                <div
                  key={keys}
                  className="flex min-h-8 flex-row-reverse items-center justify-between gap-4 border-b border-line"
                >
                  <dt>
                    <KeyCaps keys={keys} />
                  </dt>
                  <dd>{description}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <SwitchSetting {...singleKeys} saved={[act ? "on" : "off"]} />
    </>
  );
}
