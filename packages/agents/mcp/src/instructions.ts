import { type DialectName, defaultTool, dialectOf, dialectTraits } from "./dialects/index.ts";

const inFields = `Only answered: true is an answer. cancelled and timedOut are not consent. pending: true means the person has not answered yet: call get_answer with the sessionId to keep waiting. askedBack holds what they want to know first: reply with get_answer {sessionId, reply}.`;
const inWords = `A rejection, a timeout and whatever begins with "Failed:" are not consent. "Pending:" means the person has not answered yet: call get_answer with the sessionId to keep waiting. "Asked back:" is the person's own question: reply as it says.`;

/** What the server tells a model when it connects. */
export function instructions(tools: readonly DialectName[]): string {
  const tool = tools[0] ?? defaultTool;
  const { advice } = dialectOf(tool);
  const formats = new Set(tools.map((name) => dialectTraits(name).format));
  const meaning = [...(formats.has("text") && formats.size === 1 ? [] : [inFields]), ...(formats.has("text") ? [inWords] : [])].join(" ");
  return `askbox puts your questions to the person you work for and brings back their answer in the same call, wherever they answer from.

Call ${tool} when a decision, a missing fact or a confirmation would change what you do next and you cannot find it out yourself, and always before something destructive or hard to undo. ${advice} and go on with the answer.

${meaning}`;
}
