import { readFileSync } from "node:fs";
import { join } from "node:path";
import { countedTools, type MetricAbout, metricTable } from "@askbox/hub-process";
import { dialectNames, getFilesTool, toolDefinitions } from "@askbox/mcp";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "./support/generated.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");
const table: Readonly<Record<string, MetricAbout>> = metricTable;

/** Labels that Prometheus adds to what it scrapes. */
const scraped = ["job", "instance"];
const suffixes = { histogram: /_(bucket|sum|count)$/, counter: /(?!)/, gauge: /(?!)/ };

/** The metric that a series in a query is of; undefined if a hub prints no such series. */
function metricOf(series: string): MetricAbout | undefined {
  const name = series.replace(suffixes.histogram, "");
  const about = table[name];
  if (about?.type === "histogram") return name === series ? undefined : about;
  return table[series];
}

interface Query {
  series: string[];
  labels: string[];
  /** Series that are added up directly. */
  added: string[];
}

/** What a PromQL query names. */
function readQuery(query: string): Query {
  const text = query.replace(/"[^"]*"/g, "").replace(/\[[^\]]*\]/g, "");
  const lists = [...text.matchAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)|\{([^}]*)\}/g)];
  const labels = lists.flatMap(([, listed = "", matched = ""]) => `${listed},${matched}`.match(/[a-z_]\w*/gi) ?? []);
  const rest = text.replace(/\b(?:by|without|on|ignoring)\s*\([^)]*\)|\{[^}]*\}/g, " ");
  const series = [...rest.matchAll(/(?<![\w$])([a-z_]\w*)(?!\w*\s*\()/gi)].map(([name]) => name);
  const added = [...rest.matchAll(/\bsum\s*\(\s*(?:rate|increase)?\s*\(?\s*([a-z_]\w*)/g)].map(([, name = ""]) => name);
  return { series, labels, added };
}

interface Dashboard {
  panels: { title: string; targets?: { expr: string }[] }[];
  templating: { list: { query: string }[] };
}
interface Rules {
  groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
}

const dashboard: Dashboard = JSON.parse(read("deploy/monitoring/askbox-dashboard.json"));
const alerts = (parse(read("deploy/monitoring/askbox-alerts.yaml")) as Rules).groups.flatMap(({ rules }) => rules);
const section = read("docs/operations.md").split("| to see | query |")[1]?.split("\n\n")[0] ?? "";
const queries: [where: string, query: string][] = [
  ...dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }): [string, string] => [`dashboard, ${title}`, expr])),
  ...alerts.map(({ alert, expr }): [string, string] => [`alert ${alert}`, expr]),
  ...[...section.matchAll(/`([^`]+)`/g)].map(([, query = ""]): [string, string] => ["docs/operations.md", query]),
];

describe("the dashboard, the alert rules and the docs", () => {
  test.each(queries)("%s: %s", (_, query) => {
    const { series, labels, added } = readQuery(query);
    expect(series).not.toEqual([]);
    const own = series.filter((name) => name !== "up");
    expect(own.filter((name) => metricOf(name) === undefined)).toEqual([]);
    const known = [...scraped, ...own.flatMap((name) => metricOf(name)?.labels ?? []), ...(/_bucket\b/.test(query) ? ["le"] : [])];
    expect(labels.filter((label) => !known.includes(label))).toEqual([]);
    // Each hub has the whole inbox's total.
    expect(added.map(metricOf).filter((about) => about?.type === "gauge" && about.of === "inbox")).toEqual([]);
  });

  test("name some of every kind, and the dashboard shows every metric of the table", () => {
    expect(alerts.length).toBeGreaterThan(8);
    expect(section).toContain("mcp_question_latency_ms_bucket");
    const shown = new Set(dashboard.panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => readQuery(expr).series)));
    const missing = Object.keys(table).filter((name) => ![...shown].some((series) => series.replace(suffixes.histogram, "") === name));
    expect(missing).toEqual([]);
    expect(dashboard.templating.list.map(({ query }) => query)).toEqual(["prometheus", "label_values(askbox_ready, job)"]);
  });

  test("alerts say in a sentence what is wrong, and name no label that their query drops", () => {
    for (const { expr, annotations } of alerts) {
      const text = Object.values(annotations).join(" ");
      expect(annotations["summary"]).toMatch(/^(?!.*undefined).+\.$/);
      const kept = /\b(?:by)\s*\(/.test(expr) ? readQuery(expr).labels : /^(?:absent|max|sum)\s*\(/.test(expr) ? [] : scraped;
      for (const [, label] of text.matchAll(/\$labels\.(\w+)/g)) expect(kept).toContain(label);
    }
  });

  test("a query that names what no hub prints is noticed", () => {
    const { series, labels, added } = readQuery('sum by (le, foo) (rate(mcp_question_latency_ms{bar="a_b"}[5m])) + max(askbox_nothing)');
    expect([series.map(metricOf), labels, added]).toEqual([[undefined, undefined], ["le", "foo", "bar"], ["mcp_question_latency_ms"]]);
  });
});

test("every tool that askbox offers is counted by its name", () => {
  const offered = [...toolDefinitions(dialectNames), getFilesTool].map(({ name }) => name);
  expect(countedTools.toSorted()).toEqual(offered.toSorted());
});
