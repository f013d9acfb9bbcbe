import { type DialectName, dialectOf } from "./dialects/index.ts";

const inFields = `Only answered: true is an answer. cancelled and timedOut are not consent. pending: true means the person has not answered yet: call get_answer with the sessionId to go on waiting.`;
const inWords = `A rejection, a timeout and whatever begins with "Failed:" are not consent. "Pending:" means the person has not answered yet: call get_answer with the sessionId to go on waiting.`;

/** How many questions a call of the tool takes, and what they are made of. */
const how: Partial<Record<DialectName, string>> = {
  ask_human: "Ask one short question that is understandable by itself, always with your agent_id as it was given to you,",
};

/** What the server tells a model at the start of a connection. */
export function instructions(tools: readonly DialectName[]): string {
  const tool = tools[0] ?? "ask_user";
  const ask = how[tool] ?? "Ask 1-3 short questions that belong together, with options where there are any,";
  const results = new Set(tools.map((name) => dialectOf(name).results));
  const meaning = [...(results.has("text") && results.size === 1 ? [] : [inFields]), ...(results.has("text") ? [inWords] : [])].join(" ");
  return `askbox puts your questions to the person you work for and brings back their answer in the same call, wherever they answer from.

Call ${tool} when a decision, a missing fact or a confirmation would change what you do next and you cannot find it out yourself, and always before something destructive or hard to undo. ${ask} and go on with the answer.

${meaning}`;
}
