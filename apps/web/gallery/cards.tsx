import type { SessionView } from "@askbox/core";
import { type AnswerFile, isTyped, offeredOptions, type QuestionTypeName, questionTypes, traitsOf } from "@askbox/core/questions";
import type { AnswerForm } from "@askbox/inbox";
import { useAnswerForm } from "@askbox/react";
import { QuestionCard } from "../src/session/question-card.tsx";
import { type AskedQuestion, type Sample, samples } from "./questions.ts";
import type { Stage } from "./stage.ts";
import { inWords, type Words, words } from "./words.ts";

type States = Readonly<Record<string, (form: AnswerForm, values: readonly string[]) => unknown>>;

/** One question in one state. */
interface Card {
  type: QuestionTypeName | "unknown";
  state: string;
  session: SessionView;
}

const states: States = {
  empty() {},
  filled: fill,
  async disabled(form, values) {
    fill(form, values);
    await form.submit({ delay: 60_000 });
  },
  note(form, values) {
    fill(form, values);
    form.setNote(idOf(form), "After the release, please.");
  },
};

/** States that only some types have. */
const furtherStates = {
  missing: (form: AnswerForm) => form.submit(),
  skipped: (form: AnswerForm) => form.setSkipped(idOf(form), true),
  other(form: AnswerForm) {
    form.setOther(idOf(form), true);
    form.setOtherText(idOf(form), "Postgres, which the ledger has");
  },
  wrong(form: AnswerForm) {
    form.setText(idOf(form), "not at all");
    form.check();
  },
};

const idOf = (form: AnswerForm): string => form.getState().session.questions[0]?.id ?? "";

function fill(form: AnswerForm, values: readonly string[]): void {
  const [question] = form.getState().session.questions;
  if (question === undefined) return;
  if (traitsOf(question).attached) return form.setFiles(question.id, values.map(fileNamed));
  for (const value of values) {
    const option = offeredOptions(question).find((each) => each.value === value || each.label === value)?.value ?? value;
    if (isTyped(question)) form.setText(question.id, value);
    else if (traitsOf(question).picks === "order") form.place(question.id, option, 0);
    else form.choose(question.id, option);
  }
}

const fileNamed = (name: string): AnswerFile => ({
  name,
  mimeType: name.endsWith(".png") ? "image/png" : "text/plain",
  size: 48_213,
  sha256: "0".repeat(64),
});

/** Every type in every state, with every kind of text. */
export async function makeCards(stage: Stage): Promise<Card[]> {
  const cards: Card[] = [];
  const add = async (type: Card["type"], state: string, question: AskedQuestion, run?: (form: AnswerForm) => unknown) => {
    const { id, form } = await stage.ask({ questions: [question], timeout: 1_800_000 });
    await run?.(form);
    cards.push({ type, state, session: await stage.view(id) });
  };
  for (const type of questionTypes) {
    for (const { question, values } of samples[type]) {
      for (const [state, run] of Object.entries({ ...states, ...furtherFor({ question, values }) })) {
        await add(type, state, question, (form) => run(form, values));
      }
    }
    const [sample] = samples[type];
    for (const kind of Object.keys(words) as Words[]) if (sample !== undefined) await add(type, kind, inWords(sample.question, kind));
  }
  const { id } = await stage.askAsIs({
    questions: [{ id: "h", type: "unknown", question: "Which beam?", required: true, original: { type: "hologram" } }],
    timeout: 1_800_000,
  });
  cards.push({ type: "unknown", state: "empty", session: await stage.view(id) });
  return cards;
}

function furtherFor({ question, values }: Sample): States {
  const { missing, skipped, other, wrong } = furtherStates;
  const isChoice = question.type === "select" || question.type === "multi-select";
  const isValue = values.length === 1 && !("options" in question) && question.type !== "confirm" && question.type !== "rating";
  return {
    ...(question.required === false ? { skipped } : { missing }),
    ...(isChoice && !("allowOther" in question) && { other }),
    ...(isValue && (question.type !== "text" || "format" in question) && { wrong }),
  };
}

export function Cards({ cards }: { cards: readonly Card[] }) {
  return (
    <div className="gallery-cards">
      {cards.map(({ type, state, session }) => (
        <section
          key={session.id}
          className="detail gallery-card"
          data-type={type}
          data-state={state}
          aria-label={`${type}, ${state}, ${session.id}`}
        >
          <p className="gallery-name">
            {type}, {state}
          </p>
          <Field session={session} />
        </section>
      ))}
    </div>
  );
}

function Field({ session }: { session: SessionView }) {
  const { form, state } = useAnswerForm(session);
  return (
    <fieldset className="fields" disabled={state.phase !== "editing"}>
      {session.questions.map((question) => (
        <QuestionCard key={question.id} question={question} number={1} form={form} state={state} />
      ))}
    </fieldset>
  );
}
