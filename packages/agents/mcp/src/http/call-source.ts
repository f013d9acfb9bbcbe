import { AskboxError } from "@askbox/core";
import { projectSchema } from "@askbox/core/schemas";
import * as z from "zod";
import { type AskSurface, askSurfaces } from "../calls/form-channel.ts";
import { type Fallback, fallbacks } from "../clients.ts";
import { type DialectName, defaultTool, dialectNames, isDialectName } from "../dialects/index.ts";

/** The query parameters of a registration: `/mcp?agent=…&project=…&tools=…`, named like the flags of `askbox mcp`. */
export interface CallSource {
  tools: DialectName[];
  /** The server's name. */
  name: string | undefined;
  agent: string | undefined;
  project: string | undefined;
  /** Seconds; 0 is no limit. */
  maxWait: number | undefined;
  onCancel: "keep" | "withdraw" | undefined;
  fallback: Fallback | undefined;
  surfaces: AskSurface[] | undefined;
  /** Milliseconds. */
  timeout: number | undefined;
}

const agentSchema = z.string().trim().min(1).max(200);
const folderSchema = z.string().trim().min(1).pipe(projectSchema);
const whole = (min: number, max: number) => z.string().regex(/^\d+$/).transform(Number).pipe(z.number().min(min).max(max));

const querySchema = z.object({
  agent: agentSchema.optional(),
  project: folderSchema.optional(),
  tools: z
    .string()
    .transform((text) => [...new Set(text.split(",").map((name) => name.trim()))])
    .pipe(z.array(z.string().refine(isDialectName)).min(1))
    .optional(),
  name: agentSchema.optional(),
  "max-wait": whole(0, 86_400).optional(),
  "on-cancel": z.enum(["keep", "withdraw"]).optional(),
  fallback: z.enum(fallbacks).optional(),
  surfaces: z
    .string()
    .transform((text) => [...new Set(text.split(",").map((name) => name.trim()))])
    .pipe(z.array(z.enum(askSurfaces)).refine((names) => names.includes("inbox")))
    .optional(),
  timeout: whole(10_000, 1_800_000).optional(),
});

// keys: the parameters of the schema.
const expectations: Readonly<Record<string, string>> = {
  agent: "1 to 200 characters",
  project: "1 to 4096 characters",
  tools: `names of ${dialectNames.join(", ")} with commas between`,
  name: "1 to 200 characters",
  "max-wait": "a whole number of seconds from 0 (no limit) to 86400",
  "on-cancel": "keep or withdraw",
  fallback: "tool, chat or none",
  surfaces: "inbox, or inbox,client",
  timeout: "a whole number of milliseconds from 10000 to 1800000",
};

type Query = z.output<typeof querySchema>;

/** The queries of the URLs that clients use, parsed: each sends the same with every request. */
const queries = new Map<string, Query>();
const maxQueries = 200;

/** Parses the URL; headers provide what it omits. Throws `VALIDATION` with one sentence. Unknown parameters are ignored. */
export function readCallSource({ url, headers }: Pick<Request, "url" | "headers">): CallSource {
  const { agent, project, tools, name, fallback, surfaces, timeout, "max-wait": maxWait, "on-cancel": onCancel } = queryOf(url);
  return {
    tools: tools === undefined ? [defaultTool] : tools.filter(isDialectName),
    name,
    agent: valid(agentSchema, headers.get("x-askbox-agent")) ?? agent,
    project: valid(folderSchema, headers.get("x-askbox-project")) ?? project,
    maxWait,
    onCancel,
    fallback,
    surfaces,
    timeout,
  };
}

function queryOf(url: string): Query {
  const known = queries.get(url);
  if (known !== undefined) return known;
  const parsed = querySchema.safeParse(Object.fromEntries(new URL(url).searchParams));
  if (!parsed.success) {
    const name = String(parsed.error.issues[0]?.path[0]);
    throw new AskboxError("VALIDATION", `The address's ${name} must be ${expectations[name]}; correct the URL that the client is given.`);
  }
  if (queries.size === maxQueries) queries.clear();
  queries.set(url, parsed.data);
  return parsed.data;
}

/** Undefined for a value that isn't there or isn't valid. */
const valid = <Value>(schema: z.ZodType<Value>, value: unknown): Value | undefined =>
  value === null || value === undefined ? undefined : schema.safeParse(value).data;

/** A call's description of itself in its `_meta`, which takes precedence over its URL and headers. Invalid fields are ignored. */
export function readCallMeta(meta: Readonly<Record<string, unknown>>): Partial<Pick<CallSource, "agent" | "project">> {
  return { agent: valid(agentSchema, meta["askbox/agent"]), project: valid(folderSchema, meta["askbox/project"]) };
}
