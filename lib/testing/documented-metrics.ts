import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of alert rules and dashboards for operators. */
export const operatorsFiles = "docs/operations";

/** Our metric names, and prom-client's names for every Node.js program. */
const name = /\b(?:countersign|process|nodejs)_[a-z0-9_]+/g;

/**
 * Returns the metrics in a scrape, and those that the documentation, alert rules and dashboard
 * mention. A histogram's series count as one metric.
 */
export function aboutMetrics(scraped: string) {
  const families = [...scraped.matchAll(/^# TYPE (\S+)/gm)].map(([, family = ""]) => family);
  const familyOf = (series: string) => {
    const [whole] = /^(.*?)(?=_(?:bucket|sum|count)$|$)/.exec(series) ?? [];
    return families.includes(series) ? series : (whole ?? series);
  };
  const documented = [
    ...readFileSync("docs/monitoring.md", "utf8").matchAll(/`((?:countersign|process|nodejs)_[a-z0-9_]+)/g),
  ];
  const files = readdirSync(operatorsFiles).map((file) => readFileSync(join(operatorsFiles, file), "utf8"));
  const expressions = files.flatMap((text) =>
    [...text.matchAll(/^\s*"?expr"?: (.*(?:\n {10,}.*)*)/gm)].map(([, it = ""]) => it),
  );
  return {
    families,
    documented: [...new Set(documented.map(([, it = ""]) => familyOf(it)))],
    used: [...new Set(expressions.flatMap((it) => it.match(name) ?? []).map(familyOf))],
  };
}
