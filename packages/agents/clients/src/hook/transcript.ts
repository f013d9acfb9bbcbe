import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { limits } from "@askbox/core";
import type { Background } from "@askbox/core/clients";
import { cut } from "@askbox/core/questions";
import { isObject, type Json, type JsonObject } from "../json.ts";

/** The end of a transcript that is read, in bytes. */
const tail = 262_144;
const { said: maxSaid, step: maxStep, steps: maxSteps } = limits.background;

/** What the transcript of a client's hook says last; nothing if it cannot be read. */
export async function readTranscript(path: unknown): Promise<Background> {
  if (typeof path !== "string" || !isAbsolute(path)) return {};
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stat = await file.stat();
      if (!stat.isFile()) return {};
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(tail, stat.size)), 0, undefined, Math.max(0, stat.size - tail));
      return lastOf(buffer.toString("utf8", 0, bytesRead));
    } finally {
      await file.close();
    }
  } catch {
    return {};
  }
}

/**
 * The agent's last words and steps, from lines of JSON: messages of the role `assistant` with blocks of text and calls of tools, or calls of
 * tools by themselves. Lines that are neither are skipped, such as the first one, which may be cut.
 */
export function lastOf(transcript: string): Background {
  let said: string | undefined;
  const steps: string[] = [];
  for (const text of transcript.split("\n")) {
    const line = parsed(text);
    const entry = line && (objectAt(line, "message") ?? objectAt(line, "payload"));
    // An agent's own agents have a part of the transcript.
    if (line === undefined || entry === undefined || line["isSidechain"] === true) continue;
    const content = entry["role"] === "assistant" ? entry["content"] : [entry];
    for (const block of Array.isArray(content) ? content : []) {
      if (!isObject(block)) continue;
      if (entry["role"] === "assistant" && typeof block["text"] === "string" && block["text"].trim() !== "") said = block["text"].trim();
      const step = stepOf(block);
      if (step !== undefined) steps.push(step);
    }
  }
  return {
    ...(said !== undefined && { said: cut(said, maxSaid) }),
    ...(steps.length > 0 && { steps: steps.slice(-maxSteps) }),
  };
}

/** A call of a tool in one line: its name, and the argument that says most. */
function stepOf(block: JsonObject): string | undefined {
  const { type, name } = block;
  if (typeof name !== "string" || (type !== "tool_use" && type !== "function_call")) return undefined;
  const sent = block["input"] ?? block["arguments"];
  const input = typeof sent === "string" ? (parsed(sent) ?? {}) : isObject(sent) ? sent : {};
  const what = ["command", "cmd", "file_path", "path", "pattern", "url", "query", "description"]
    .map((key) => wordsOf(input[key]))
    .find((words) => words);
  const words = `${name}${what === undefined ? "" : `: ${what}`}`.replaceAll(/\s+/g, " ").trim();
  return cut(words, maxStep);
}

const wordsOf = (value: Json | undefined): string | undefined =>
  typeof value === "string" ? value : Array.isArray(value) && value.every((word) => typeof word === "string") ? value.join(" ") : undefined;

function objectAt(value: JsonObject, key: string): JsonObject | undefined {
  const found = value[key];
  return isObject(found) ? found : undefined;
}

function parsed(text: string): JsonObject | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
