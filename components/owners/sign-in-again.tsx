import { TextLink } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";

/** Said above what needs a fresh sign-in, before anybody types. `path` leads there and back. */
export const SignInAgainNotice = ({ path }: { path: string }) => (
  <div className="mb-4">
    <Notice>
      You signed in more than ten minutes ago. To change something here, <TextLink href={path}>sign in again</TextLink>.
    </Notice>
  </div>
);
