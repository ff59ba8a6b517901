import Link from "next/link";
import { Card } from "@/components/ui/card";
import type { Settings } from "@/lib/owners/schema";
import { ChoiceSetting, SwitchSetting } from "./controls";
import { Rows } from "./section";

/** How an answer is given, and what becomes of it right after. */
export const Answering = ({ undoSeconds, alwaysConfirm, singleKeys }: Settings) => (
  <Card title="Answering">
    <Rows>
      <ChoiceSetting
        setting="undoSeconds"
        label="Undo"
        hint="How long an answer is held before the app can read it. Until then you can take it back."
        saved={[String(undoSeconds)]}
        options={[
          { value: "0", label: "Off" },
          { value: "5", label: "5 s" },
          { value: "10", label: "10 s" },
          { value: "30", label: "30 s" },
        ]}
      />
      <SwitchSetting
        setting="alwaysConfirm"
        label="Always confirm"
        hint="A key or click chooses, a second one sends."
        saved={[alwaysConfirm ? "on" : "off"]}
      />
      <SwitchSetting
        setting="singleKeys"
        label="Single-key shortcuts"
        hint="Keys like 1, j and ? act at once. Switch them off if you use a screen reader or dictate."
        saved={[singleKeys ? "on" : "off"]}
      />
    </Rows>
    <p className="mt-4">
      <Link href="/approvals/practice" prefetch={false} className="link">
        Practise with made-up questions
      </Link>
    </p>
  </Card>
);
