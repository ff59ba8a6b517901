import { Forget } from "@/components/alerts/forget";

export default function SignInLayout({ children }: { children: React.ReactNode }) {
  return (
    <>
      <Forget />
      {children}
    </>
  );
}
