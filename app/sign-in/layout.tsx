import { ClearLocalState } from "@/components/alerts/clear-local-state";

export default function SignInLayout({ children }: { children: React.ReactNode }) {
  return (
    <>
      <ClearLocalState />
      {children}
    </>
  );
}
