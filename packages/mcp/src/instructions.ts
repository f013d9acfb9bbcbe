/** What the server tells a model at the start of a connection. */
export function instructions(tools: readonly string[]): string {
  const tool = tools[0] ?? "ask_user";
  return `askbox puts your questions to the person you work for and brings back their answer in the same call, wherever they answer from.

Call ${tool} when a decision, a missing fact or a confirmation would change what you do next and you cannot find it out yourself, and always before something destructive or hard to undo. Ask 1-3 short questions that belong together, with options where there are any, and go on with the answer.

Only answered: true is an answer. cancelled and timedOut are not consent. pending: true means the person has not answered yet: call get_answer with the sessionId to go on waiting.`;
}
