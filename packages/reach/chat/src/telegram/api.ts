import { AskboxError } from "@askbox/core";
import * as z from "zod";
import { type Answered, call } from "../http.ts";
import type { ChatAccess, Sent } from "../port.ts";

/** Milliseconds until a request counts as failed. */
const timeout = 15_000;

const refusedSchema = z.object({
  description: z.string().max(2_000).catch("it refused").default("it refused"),
  parameters: z.object({ retry_after: z.number().optional(), migrate_to_chat_id: z.number().optional() }).optional().catch(undefined),
});
const messageSchema = z.object({ message_id: z.number() });

/** One method of the Bot API (core.telegram.org/bots/api), as JSON, or as a form with a file. */
export type Method = (name: string, params: object, options?: { timeout?: number; signal?: AbortSignal }) => Promise<Answered>;

export function botApi({ secrets, api, clock, fetch }: ChatAccess): Method {
  const base = `${api.replace(/\/$/, "")}/bot${secrets["token"]}`;
  return (name, params, options = {}) => {
    const init: RequestInit =
      params instanceof FormData
        ? { method: "POST", body: params }
        : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(params) };
    return call(`${base}/${name}`, init, { clock, fetch, timeout, ...options });
  };
}

/** The address of a file, which contains the token. */
export const fileAddress = ({ secrets, api }: ChatAccess, path: string): string =>
  `${api.replace(/\/$/, "")}/file/bot${secrets["token"]}/${path}`;

/** Why a request was refused, and after how many ms it may be made again, or in which chat, since the group has another id. */
export function refusal(answered: Answered): { why: string; after: number | undefined; movedTo?: string } {
  if (answered.failure !== undefined) return { why: answered.failure.why, after: undefined };
  const read = refusedSchema.safeParse(answered.body);
  const { description, parameters } = read.success ? read.data : { description: `it answered ${answered.status}`, parameters: undefined };
  const { retry_after: seconds, migrate_to_chat_id: to } = parameters ?? {};
  const after = seconds === undefined ? answered.retryAfter : Math.min(seconds, 3_600) * 1_000;
  return { why: description, after, ...(to !== undefined && { movedTo: String(to) }) };
}

/** What came of a message. A post is not repeated if it may have arrived. */
export function sentOf(answered: Answered): Sent {
  if (answered.status === 200) {
    const { data } = z.object({ result: messageSchema }).safeParse(answered.body);
    return { ok: true, id: String(data?.result.message_id ?? "") };
  }
  const { why, after, movedTo } = refusal(answered);
  if (answered.failure !== undefined) return { ok: false, kind: answered.failure.mayHaveArrived ? "unknown" : "later", why };
  const mayWorkLater =
    movedTo !== undefined || answered.status === 429 || answered.status === 401 || answered.status === 404 || answered.status >= 500;
  return { ok: false, kind: mayWorkLater ? "later" : "never", why, after };
}

/** The bot that a token belongs to. */
export async function getMe(access: ChatAccess): Promise<{ id: string; name: string }> {
  const answered = await botApi(access)("getMe", {});
  const read = z.object({ result: z.object({ id: z.number(), username: z.string() }) }).safeParse(answered.body);
  if (read.success) return { id: String(read.data.result.id), name: read.data.result.username };
  if (answered.status === 401 || answered.status === 404)
    throw new AskboxError("VALIDATION", "Telegram does not know this token; copy it again from @BotFather.");
  throw new AskboxError("HUB_UNREACHABLE", `Telegram can't be asked about the bot: ${refusal(answered).why}.`);
}
