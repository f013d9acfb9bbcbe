import { type MetricAbout, metricTable } from "@askbox/hub-process";

/** A table of all metrics. */
export function metricsText(): string {
  const rows = Object.entries<MetricAbout>(metricTable).map(([name, about]) => {
    const labels = about.labels.map((label) => `\`${label}\``).join(", ");
    const scope = about.type === "gauge" && about.of === "inbox" ? "total" : "own";
    return `| \`${name}\` | ${about.type} | ${labels} | ${scope} | ${about.help} |`;
  });
  return ["| metric | type | labels | of the hub or the inbox | meaning |", "|---|---|---|---|---|", ...rows].join("\n");
}
