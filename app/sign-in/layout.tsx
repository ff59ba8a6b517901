import { ClearLocalState } from "@/components/alerts/clear-previous-owner-data";

export default function SignInLayout({ children }: { children: React.ReactNode }) {
  return (
    <>
      <ClearLocalState />
      {children}
    </>
  );
}
