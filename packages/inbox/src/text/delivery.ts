import type { Outlook } from "@askbox/core";
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
  waking: "The agent is being woken; whether it was is not known yet.",
  resumed: "The agent had gone and was started again in the background; whether it has it is not known yet.",
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
  next_call: "{agent} gets it with its next call.",
} as const;

/** Which of `outlookSentences` tells an outlook. */
export function outlookOf({ next, client }: Pick<Outlook, "next" | "client">): keyof typeof outlookSentences {
  return next === "continues" && client === "busy" ? "continues_later" : next;
}

/** How an agent would get an answer, as a sentence. */
export const outlookText = (outlook: Outlook, agent: string): string => filled(outlookSentences[outlookOf(outlook)], { agent });
