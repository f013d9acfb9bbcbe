import { dirname } from "node:path";
import { AskboxError } from "@askbox/core";
import { digest, type FileRecord, type Ledger } from "./files/ledger.ts";
import { bytesOf, readSettingsFile, refuseOutside, writeSettingsFile } from "./files/settings-file.ts";
import { type Change, isSamePlace } from "./formats/format.ts";
import type { Json } from "./json.ts";
import { formats, type Step } from "./plan.ts";

/** The paths at which a hub on this machine is reached by URL. */
const endpoints = ["/mcp", "/sse"];
const loopback = ["127.0.0.1", "localhost", "[::1]"];

/** A hub's address that askbox wrote into a client's file, and that is still there. */
export interface WrittenAddress {
  path: string;
  /** Such as `http://127.0.0.1:4141`. */
  origin: string;
}

/** The addresses on this machine in the clients' files. What a person has changed or removed since is left out. */
export function writtenAddresses(ledger: Ledger): WrittenAddress[] {
  return ledger.owners().flatMap((owner) =>
    ledger.pathsOf(owner).flatMap((path): WrittenAddress[] => {
      const found = new Set<string>();
      for (const { change } of ledger.record(path)?.layers[owner] ?? []) {
        rewritten(change, (url) => {
          if (isThere(path, url.href)) found.add(url.origin);
          return url.href;
        });
      }
      return [...found].map((origin) => ({ path, origin }));
    }),
  );
}

/**
 * Plans to write `to` in place of the address `from` into a client's file; everything else in the file stays. Throws `VALIDATION` for a
 * file that cannot be changed.
 */
export function planMove(ledger: Ledger, { path, origin: from }: WrittenAddress, to: string): Step {
  const file = readSettingsFile(path);
  const record = ledger.record(path);
  if (record === undefined) throw new AskboxError("VALIDATION", `askbox has written nothing to ${path}.`);
  // Elsewhere than where it was written, it is somebody else's file.
  refuseOutside(file, [dirname(record.target ?? path)]);
  const format = formats[record.format];
  let { text } = file;
  const moved = (change: Change) => rewritten(change, (url) => (url.origin === from ? url.href.replace(from, to) : url.href));
  const layers: FileRecord["layers"] = {};
  for (const [owner, layer] of Object.entries(record.layers)) {
    layers[owner] = layer.map((applied) => {
      const change = moved(applied.change);
      if (JSON.stringify(change) === JSON.stringify(applied.change)) return applied;
      const without = isSamePlace(change, applied.change) ? text : format.undo(text, applied);
      text = format.apply(without, change).text;
      return { ...applied, change };
    });
  }
  const bytes = bytesOf(file, text);
  return {
    path,
    target: file.target,
    before: file.text,
    after: text,
    action: text === file.text ? "none" : "change",
    carryOut() {
      const isAsLeft = file.bytes !== undefined && digest(file.bytes) === record.after;
      // Recorded first, as for every change.
      ledger.set(path, { ...record, layers, exact: record.exact && isAsLeft, after: digest(bytes) });
      writeSettingsFile(file, bytes);
    },
  };
}

function isThere(path: string, url: string): boolean {
  try {
    return readSettingsFile(path).text.includes(url.replaceAll("%2C", ","));
  } catch {
    return false;
  }
}

/** The change with each URL of a local hub replaced. */
function rewritten(change: Change, replace: (url: URL) => string): Change {
  if (change.kind === "set") return { ...change, to: rewrittenJson(change.to, replace) };
  return change.kind === "include" ? { ...change, item: rewrittenJson(change.item, replace) } : change;
}

function rewrittenJson(value: Json, replace: (url: URL) => string): Json {
  if (Array.isArray(value)) return value.map((item) => rewrittenJson(item, replace));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rewrittenJson(item as Json, replace)]));
  }
  if (typeof value !== "string" || !/^https?:/.test(value) || !URL.canParse(value)) return value;
  const url = new URL(value);
  if (!loopback.includes(url.hostname) || !endpoints.includes(url.pathname)) return value;
  const next = replace(url);
  return next === url.href ? value : next.replaceAll("%2C", ",");
}
