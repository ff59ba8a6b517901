import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { withEagerCompileHints } from "./browser-script-compile-hints.mjs";

const list = '(globalThis.TURBOPACK||(globalThis.TURBOPACK=[])).push(["object"==typeof document?1:void 0,';

test("wraps each module function in parentheses and leaves the functions unchanged", () => {
  const script = `${list}12,(e,t)=>{t.a="}),(e=>{"},34,56,e=>{e.s(/[(]"/)},78,function(e){return \`\${e}}\`}]);`;
  const read = withEagerCompileHints(script);
  expect(read).toBe(
    `${list}12,((e,t)=>{t.a="}),(e=>{"}),34,56,(e=>{e.s(/[(]"/)}),78,(function(e){return \`\${e}}\`})]);`,
  );
  expect(withEagerCompileHints(read)).toBe(read);
  const listed = (text: string) => JSON.stringify(runInNewContext(`${text};TURBOPACK[0].map(String)`));
  expect(listed(read)).toBe(listed(script));
});

test("leaves the script outside the module list unchanged", () => {
  expect(withEagerCompileHints(`${list}1,e=>{e()}]);(()=>{document.body})();`)).toBe(
    `${list}1,(e=>{e()})]);(()=>{document.body})();`,
  );
  for (const script of ["self.x=()=>{};", "not a script"]) expect(withEagerCompileHints(script)).toBe(script);
});
