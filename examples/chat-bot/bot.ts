/** Posts askbox's questions to a chat, each session in its own thread, and sends people's replies as answers. */
import type { Answer } from "@askbox/core";
import type { Book, Thread } from "./book.ts";
import type { Askbox, Chat, Settled } from "./services.ts";
import { answerOf, endingText, issuesText, opening, questionText } from "./words.ts";

/** A message in a thread, as reported by the chat. */
export interface Reply {
  thread: string;
  user: string;
  text: string;
}

export class Bot {
  readonly #askbox: Askbox;
  readonly #chat: Chat;
  readonly #book: Book;

  constructor(askbox: Askbox, chat: Chat, book: Book) {
    this.#askbox = askbox;
    this.#chat = chat;
    this.#book = book;
  }

  /** A webhook is delivered at least once, so known events are ignored. */
  async opened(sessionId: string): Promise<void> {
    if (this.#book.find((thread) => thread.sessionId === sessionId) !== undefined) return;
    // A webhook only signals that something changed; the session is read with the bot's own token, so `text: false` is enough.
    const session = await this.#askbox.get(sessionId);
    if (session.status !== "pending") return;
    const id = await this.#chat.post(opening(session));
    this.#book.put({ id, sessionId, questions: session.questions, answers: [] });
  }

  async settled(sessionId: string): Promise<void> {
    const thread = this.#book.find((thread) => thread.sessionId === sessionId);
    if (thread === undefined || thread.ending !== undefined) return;
    await this.#end(thread, endingText(await this.#askbox.get(sessionId)));
  }

  async replied({ thread: id, user, text }: Reply): Promise<void> {
    const thread = this.#book.find((thread) => thread.id === id);
    // Messages in other threads are not for the bot.
    if (thread === undefined) return;
    if (thread.ending !== undefined) return void (await this.#chat.post(`Too late. ${thread.ending}`, id));
    const by = { name: user };
    if (text.trim().toLowerCase() === "cancel") return this.#told(thread, await this.#askbox.cancel(thread.sessionId, "In the chat.", by));
    const question = openQuestion(thread);
    const answers = question === undefined ? thread.answers : [...thread.answers, answerOf(question, text)];
    const next = openQuestion({ ...thread, answers });
    if (next === undefined) {
      return this.#told(thread, await this.#askbox.answer(thread.sessionId, { answers: [...answers] }, by), answers);
    }
    await this.#chat.post(questionText(thread.questions, next), id);
    this.#book.put({ ...thread, answers });
  }

  async #told(thread: Thread, settled: Settled, answers: readonly Answer[] = []): Promise<void> {
    if (settled.kind === "done") return this.#end(thread, `Sent. ${endingText(settled.session)}`);
    // The first answer wins, wherever it came from, and a later one is told the outcome.
    if (settled.kind === "too late") return this.#end(thread, `Somebody else was first. ${endingText(settled.session)}`);
    const wrong = new Set(settled.issues.map(({ questionId }) => questionId));
    const kept = { ...thread, answers: answers.filter(({ questionId }) => !wrong.has(questionId)) };
    await this.#chat.post(`${issuesText(settled.issues)}\n${questionText(thread.questions, openQuestion(kept))}`, thread.id);
    this.#book.put(kept);
  }

  async #end(thread: Thread, ending: string): Promise<void> {
    await this.#chat.post(ending, thread.id);
    this.#book.put({ ...thread, ending });
  }
}

const openQuestion = ({ questions, answers }: Thread) => questions.find(({ id }) => !answers.some(({ questionId }) => questionId === id));
