/*
 * The list's sections, by urgency, and the groups of one app's questions. Positions are decided
 * when the page opens or becomes visible again, so that nothing moves under a finger. Questions
 * that arrive later form a separate section.
 */
import { areAlike, type InboxApproval } from "@/components/approvals/inbox-approval";

/** The minimum number of questions from one app that form a group. */
const burst = 5;

type Urgency = InboxApproval["triage"]["section"] | "new";
/**
 * Questions that are set aside: `asked` if they wait for their app's reply, `muted` if their app is
 * muted.
 */
export type Aside = "asked" | "muted";
type Section = Urgency | Aside;

export const sectionNames: Record<Section, string> = {
  due: "Due soon",
  care: "High risk",
  today: "Today",
  earlier: "Earlier",
  new: "New since you opened this list",
  asked: "Waiting for the app",
  muted: "Muted apps",
};
const order = Object.keys(sectionNames) as Section[];

export type ListItem =
  | { kind: "row"; approval: InboxApproval }
  /** More questions from one app. */
  | { kind: "group"; key: string; name: string; rows: InboxApproval[]; open: boolean; alike: boolean };

/** Without a name, the rows form one undivided section. */
export type ListSection = { name?: Section; open: boolean; items: ListItem[] };

/** The section of each row, and the apps with grouped questions, as decided at the time `at`. */
export type Arrangement = {
  at: number;
  sections: ReadonlyMap<string, Urgency>;
  /** By app: the section of its grouped rows, and the ID of its row outside the group. */
  groups: ReadonlyMap<string, { section: Urgency; alone: string }>;
};

export const asideOf = ({ app, triage }: InboxApproval): Aside | undefined =>
  app.muted ? "muted" : triage.askedBack && !triage.held ? "asked" : undefined;

/** The key of the count that includes a question. */
export const countKeyOf = (approval: InboxApproval): string => asideOf(approval) ?? approval.clientId;

type Counts = Readonly<Record<string, number>>;

/**
 * Decides the section of each row, and which apps' questions form groups.
 * @param now the server's time
 * @param counts pending questions by app, including those that are not on this page of the list
 */
export function arrange(rows: readonly InboxApproval[], now: number, counts: Counts): Arrangement {
  const here = rows.filter((it) => !asideOf(it));
  const sections = new Map(here.map((it) => [it._id, it.triage.section]));
  const byApp = new Map<string, InboxApproval[]>();
  for (const it of here) byApp.set(it.clientId, [...(byApp.get(it.clientId) ?? []), it]);
  const groups = new Map<string, { section: Urgency; alone: string }>();
  for (const [app, its] of byApp) {
    const [first, second = first] = its.filter(({ _id }) => isCalm(sections.get(_id)));
    // With only one app in the list, a group would make no room for other questions.
    if (!first || !second || byApp.size < 2 || Math.max(its.length, counts[app] ?? 0) < burst) continue;
    groups.set(app, { section: sections.get(second._id) ?? "today", alone: first._id });
  }
  return { at: now, sections, groups };
}

const isCalm = (section: Urgency | undefined) => section === "today" || section === "earlier";

/**
 * Sorts rows into sections.
 * @param folds the groups and asides that the owner opened or closed
 */
export function sectionsOf(
  rows: readonly InboxApproval[],
  { at, sections, groups }: Arrangement,
  folds: ReadonlyMap<string, boolean>,
): ListSection[] {
  const found = new Map<Section, ListSection>();
  const sectionFor = (name: Section) => {
    const known = found.get(name);
    if (known) return known;
    const section: ListSection = { name, open: folds.get(name) ?? name !== "muted", items: [] };
    found.set(name, section);
    return section;
  };
  const grouped = new Map<string, InboxApproval[]>();
  for (const approval of rows) {
    const aside = asideOf(approval);
    const urgency = approval.triage.section;
    const isLate = !sections.has(approval._id) && approval._creationTime > at;
    const place = sections.get(approval._id) ?? (isLate ? "new" : urgency);
    const group = groups.get(approval.clientId);
    const isInGroup = group && approval._id !== group.alone && (isCalm(place) || (isLate && isCalm(urgency)));
    if (!aside && isInGroup) grouped.set(approval.clientId, [...(grouped.get(approval.clientId) ?? []), approval]);
    else sectionFor(aside ?? place).items.push({ kind: "row", approval });
  }
  for (const [key, its] of grouped) {
    const [first] = its;
    const { section } = groups.get(key) ?? {};
    if (!first || !section) continue;
    const about = { key, name: first.app.name, open: folds.get(key) ?? false, alike: areAlike(its) };
    sectionFor(section).items.push({ kind: "group", ...about, rows: its });
  }
  return order.flatMap((name) => found.get(name) ?? []);
}

/** Rows without sections, as in a search. */
export const undivided = (rows: readonly InboxApproval[]): ListSection[] =>
  rows.length === 0 ? [] : [{ open: true, items: rows.map((approval) => ({ kind: "row", approval })) }];

/** The navigation order: as displayed, without collapsed asides. */
export const inOrder = (sections: readonly ListSection[]): InboxApproval[] =>
  sections.flatMap(({ items, open }) =>
    open ? items.flatMap((item) => (item.kind === "row" ? [item.approval] : item.rows)) : [],
  );
