import type { SessionView } from "@askbox/core";
import type { Outlook } from "@askbox/core/clients";
import { type Delivered, deliveryOf } from "../describe/delivery.ts";
import { type Clean, filled } from "./english.ts";

/** The English words for what becomes of an outcome, and for how an agent will get one. */

/** What happens with an outcome. */
export const deliverySentences = {
  waits: "The agent will get it when it comes back.",
  delivered: "The agent has it.",
  told: "The agent was told that nobody answered.",
  reply_waits: "The agent gets the reply with its next question.",
  reply_delivered: "The agent has the reply.",
  waking: "The agent is being woken. It isn't known yet whether that worked.",
  resumed: "The agent had gone and was started again in the background. It isn't known yet whether it got this.",
  woken: "The agent was woken with it.",
  nudged: "The agent was woken to get it.",
  wake_failed: "The agent could not be woken, and will get it when it comes back.",
} as const satisfies Record<Delivered, string>;

/** What happens with the outcome, and why if the agent could not be woken; undefined as for `deliveryOf`. */
export function deliveryText(session: Parameters<typeof deliveryOf>[0], clean: Clean): string | undefined {
  const { why } = session.waking ?? {};
  const delivery = deliveryOf(session);
  if (delivery === undefined) return undefined;
  const sentence = deliverySentences[delivery];
  return why === undefined || delivery !== "wake_failed" ? sentence : `${sentence} ${clean(why)}`;
}

/** How an agent would get an answer. `{agent}` is its client's title. */
export const outlookSentences = {
  waits: "{agent} waits, and gets it at once.",
  continues: "{agent} goes on at once.",
  continues_later: "{agent} goes on with it after its turn.",
  resumes: "{agent} has gone, and is started again in the background.",
  start: "{agent} has gone. You can start it again in the background, or resume it yourself.",
  start_later: "{agent} has gone. Once you have answered, you can start it again in the background, or resume it yourself.",
  next_call: "{agent} gets it with its next call.",
} as const;

/** Which of `outlookSentences` tells the outlook of a session. */
export function outlookOf({ next, client }: Pick<Outlook, "next" | "client">, { status }: Pick<SessionView, "status">) {
  if (next === "continues" && client === "busy") return "continues_later";
  return next === "start" && status === "pending" ? "start_later" : next;
}

/** How the agent of a session would get an answer, as a sentence; `agent` is its client's title. */
export const outlookText = (outlook: Outlook, session: Pick<SessionView, "status">, agent: string): string =>
  filled(outlookSentences[outlookOf(outlook, session)], { agent });
