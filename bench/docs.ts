import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { written } from "./runner/docs-table.ts";
import type { Results } from "./runner/results.ts";

/**
 * Writes the figures of a run into docs/performance.md: `pnpm bench:docs [FILE]`, where FILE is what `pnpm bench` left (default `bench/results.json`). No
 * number of that page is typed by hand.
 */
const root = resolve(import.meta.dirname, "..");
const results = JSON.parse(readFileSync(resolve(process.argv[2] ?? resolve(root, "bench/results.json")), "utf8")) as Results;
const page = resolve(root, "docs/performance.md");
writeFileSync(page, written(readFileSync(page, "utf8"), results));
console.log(`docs/performance.md has the ${results.rows.length} figures of ${results.machine.date.slice(0, 10)}.`);
