import { RowKeys } from "@/components/keyboard/row-keys";
import { Page } from "@/components/layout/page";
import { SettingsNav } from "@/components/settings/settings-nav";

export default function SettingsLayout({ children }: { children: React.ReactNode }) {
  return (
    <Page title="Settings">
      <div className="lg:grid lg:grid-cols-[9rem_minmax(0,1fr)] lg:gap-6">
        <SettingsNav />
        {/* Prevents the tabs from covering the focused element. */}
        <div className="grid gap-5 [&_:is(a,button,input,select,textarea,summary,[tabindex])]:scroll-mt-20">
          {children}
        </div>
      </div>
      <RowKeys name="Settings" row="setting" />
    </Page>
  );
}
