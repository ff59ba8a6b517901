import Link from "next/link";
import { Notice } from "@/components/ui/notice";

/** Said above what needs a fresh sign-in, before anybody types. `path` leads there and back. */
export const SignInAgainNotice = ({ path }: { path: string }) => (
  <div className="mb-4">
    <Notice>
      You signed in more than ten minutes ago. To change something here,{" "}
      <Link href={path} className="link">
        sign in again
      </Link>
      .
    </Notice>
  </div>
);
