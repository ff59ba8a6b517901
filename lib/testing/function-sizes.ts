import { parseAst } from "vitest/node";

/* Measures every function in a source file, for the test that keeps functions short and simple. */

/** `complexity` is one more than the number of branches, not counting those of nested functions. */
export type FunctionSize = { name: string; line: number; lines: number; complexity: number };

type Node = { type: string; start: number; end: number; [property: string]: unknown };

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";
const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

const functions = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);
const branches = new Set([
  "IfStatement",
  "ConditionalExpression",
  "LogicalExpression",
  "CatchClause",
  "ForStatement",
  "ForInStatement",
  "ForOfStatement",
  "WhileStatement",
  "DoWhileStatement",
]);
const branchesHere = ({ type, test, operator }: Node): boolean =>
  branches.has(type) ||
  // Excludes `default:`.
  (type === "SwitchCase" && test !== null) ||
  (type === "AssignmentExpression" && ["&&=", "||=", "??="].includes(String(operator)));

const branchesIn = (node: Node): number =>
  childrenOf(node)
    .filter((child) => !functions.has(child.type))
    .reduce((sum, child) => sum + branchesIn(child), branchesHere(node) ? 1 : 0);

/** Returns a name for the function: its own, or that of its variable, property or call. */
function nameIn(parent: Node, node: Node): string {
  const named = [node.id, parent.id, parent.key, parent.callee].find(isNode);
  return String(
    named?.name ?? (isNode(named?.property) ? named.property.name : undefined) ?? named?.value ?? "function",
  );
}

export function functionSizes(text: string, lang: "js" | "ts" | "tsx"): FunctionSize[] {
  const breaks = [...text.matchAll(/\n/g)].map(({ index }) => index);
  const lineAt = (offset: number) => breaks.filter((at) => at < offset).length + 1;
  const collect = (parent: Node): FunctionSize[] =>
    childrenOf(parent).flatMap((node) => {
      if (!functions.has(node.type)) return collect(node);
      const line = lineAt(node.start);
      const lines = lineAt(node.end) - line + 1;
      return [{ name: nameIn(parent, node), line, lines, complexity: 1 + branchesIn(node) }, ...collect(node)];
    });
  return collect(parseAst(text, { lang }) as unknown as Node);
}
