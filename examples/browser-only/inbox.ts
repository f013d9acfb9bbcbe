/** The person's view: open questions with their options, and the outcomes of earlier ones. */
import { type Answer, type Desk, isAskboxError, type SessionView } from "@askbox/core";
import { answerText, offeredOptions } from "@askbox/core/questions";

function element<Name extends keyof HTMLElementTagNameMap>(name: Name, parts: object): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  Object.assign(made, parts);
  return made;
}

export async function listSessions(desk: Desk): Promise<void> {
  const { items } = await desk.list();
  const settled = items.filter(({ status }) => status !== "pending");
  const list = document.querySelector("#pending") as HTMLElement;
  const pending = items.filter((item) => !settled.includes(item));
  // Keeps existing elements, since somebody may be typing into them.
  const shown = new Map(([...list.children] as HTMLElement[]).map((item) => [item.dataset["id"], item]));
  for (const [id, item] of shown) if (pending.every((session) => session.id !== id)) item.remove();
  list.append(...pending.filter(({ id }) => !shown.has(id)).map((session) => entry(session, desk)));
  document.querySelector("#settled")?.replaceChildren(...settled.map(ending));
}

/** An agent's text is inserted as text, never as markup. */
function entry({ id, questions: [asked] }: SessionView, desk: Desk): HTMLLIElement {
  const item = element("li", {});
  item.dataset["id"] = id;
  if (asked === undefined) return item;
  const problem = element("p", { role: "alert" });
  const answer = async (fields: Omit<Answer, "questionId">) => {
    try {
      await desk.answer(id, { answers: [{ questionId: asked.id, ...fields }] });
    } catch (error) {
      if (!isAskboxError(error)) throw error;
      problem.textContent = error.message;
    }
  };
  const offered = offeredOptions(asked);
  const buttons = offered.map(({ label, value }) => element("button", { textContent: label, onclick: () => answer({ values: [value] }) }));
  const own = element("input", { ariaLabel: offered.length === 0 ? "Answer" : "Other" });
  own.onchange = () => answer(offered.length === 0 ? { values: [own.value] } : { values: [], customText: own.value });
  item.append(element("p", { textContent: asked.question }), ...buttons, own, problem);
  return item;
}

function ending({ questions: [asked], outcome, status }: SessionView): HTMLLIElement {
  const [answer] = outcome?.kind === "answered" ? outcome.answers : [];
  const said = asked !== undefined && answer !== undefined ? answerText(asked, answer) : status;
  return element("li", { textContent: `${asked?.question} ${said}` });
}
