import { Card } from "@/components/ui/card";
import type { Settings } from "@/lib/owners/schema";
import { ChoiceSetting } from "./controls";
import { Rows } from "./section";

/** How all pages look, on every device of the owner's. */
export const Appearance = ({ theme, density, motion }: Settings) => (
  <Card title="Appearance">
    <Rows>
      <ChoiceSetting
        setting="theme"
        label="Theme"
        saved={[theme]}
        options={[
          { value: "system", label: "As my system" },
          { value: "light", label: "Light" },
          { value: "dark", label: "Dark" },
        ]}
      />
      <ChoiceSetting
        setting="density"
        label="Density"
        hint="Compact shows more rows at once, each with one line of its question."
        saved={[density]}
        options={[
          { value: "comfortable", label: "Comfortable" },
          { value: "compact", label: "Compact" },
        ]}
      />
      <ChoiceSetting
        setting="motion"
        label="Motion"
        saved={[motion]}
        options={[
          { value: "system", label: "As my system" },
          { value: "reduced", label: "Reduced" },
        ]}
      />
    </Rows>
  </Card>
);
