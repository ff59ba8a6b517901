import type { Approval, Resolution } from "@/lib/approvals/schema";

/** An approval ready to be shown: its background is rendered on the server. */
export type Asked = Omit<Approval, "backgroundContext"> & {
  app: { name: string; host?: string; revoked: boolean };
  /** Rendered; absent where the app gave none, or where it was left out to keep the page small (then `whole` is false). */
  background?: React.ReactNode;
  whole: boolean;
};

/** How an approval ended that this page may still be showing as waiting. */
export type Ending = { id: string; resolution: Resolution };

/** What an answer led to. A late one changed nothing: `resolution` is then the one that holds. */
export type Sent = { asked: Asked } & (
  | { state: "sending"; resolution: Resolution }
  | { state: "done"; resolution: Resolution; late: boolean }
  | { state: "failed"; message: string }
);

type Result<T> = { ok: true; value?: T } | { ok: false; message: string; fields?: Record<string, string> };
export type SendAnswer = (previous: null, form: FormData) => Promise<Result<{ won: boolean; resolution: Resolution }>>;
/** The same for a form that is posted without scripts: success leads to the decision's own page. */
export type PostAnswer = (previous: Result<undefined> | null, form: FormData) => Promise<Result<undefined>>;

/** Where one decision has its own address. */
export const addressOf = (id: string) => `/approvals/${id}`;

/** What was answered, in one line: the option's label, or the first words of the text. */
export function answerLine({ options }: Pick<Asked, "options">, { optionId, otherText }: Resolution): string {
  if (otherText !== undefined) return otherText;
  return options.find(({ id }) => id === optionId)?.label ?? optionId ?? "";
}

/** The option that the app recommends, when its recommendation names one by id or label. */
export const suggestedOption = ({ options, recommendation }: Pick<Asked, "options" | "recommendation">) =>
  recommendation === undefined
    ? undefined
    : options.find(({ id, label }) => id === recommendation || label === recommendation);

/** How it ended, as far as this page knows: by the server's word, or by an answer on its way there. */
export const endOf = (asked: Asked, sent: Sent | undefined): Resolution | undefined =>
  sent && sent.state !== "failed" ? sent.resolution : asked.resolution;
