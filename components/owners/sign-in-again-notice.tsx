"use client";
import { keepAllTyped } from "@/components/actions/restore-typed-values";
import { Notice } from "@/components/ui/notice";
import { ButtonLink } from "@/components/ui/styled-links";

/**
 * A notice above forms that require a recent sign-in. `path` is the URL of the sign-in page, which
 * returns here. Typed values are kept.
 */
export const SignInAgainNotice = ({ path }: { path: string }) => (
  <div className="mb-4">
    <Notice>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p>Confirm it’s you to make changes.</p>
        <ButtonLink href={path} size="small" className="sm:-my-2" onClick={keepAllTyped}>
          Confirm it’s you
        </ButtonLink>
      </div>
    </Notice>
  </div>
);
