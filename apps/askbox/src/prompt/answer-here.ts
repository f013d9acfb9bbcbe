import { type Desk, type DraftField, isAskboxError, type Presence, type SessionView, toAskboxError } from "@askbox/core";
import { terminalLine } from "@askbox/terminal-text";
import type { CommandContext } from "../context.ts";
import type { Terminal } from "../io.ts";
import { shorten } from "../text/layout.ts";
import { actorName } from "../text/outcome-text.ts";
import { paintFor } from "../text/paint.ts";
import { askPerson, type Said } from "./ask-person.ts";
import { readLines } from "./line-reader.ts";

export interface AnswerHereOptions {
  context: CommandContext;
  terminal: Terminal;
  desk: Desk;
  /** The session's whole id. */
  id: string;
  /** Ctrl-C was pressed. */
  onInterrupt(): void;
}

/** A prompt that takes the answer in this terminal, beside all other surfaces. */
export interface Prompting {
  /** Takes it off the screen; where somebody else answered, says who did, and where. */
  end(): Promise<void>;
}

/** Shows the questions and takes an answer, until `end`. What fails here is said once, and disturbs nobody who waits for another surface. */
export async function answerHere({ context, terminal, desk, id, onInterrupt }: AnswerHereOptions): Promise<Prompting> {
  const { io, now } = context;
  const { stderr } = io;
  const paint = paintFor(stderr);
  let present = await desk.get(id);
  let text: { questionId: string; lines: readonly string[] } | undefined;
  let saved = "";
  let settledHere = false;
  let isOver = false;
  const lines = readLines(terminal, onInterrupt);

  const save = (questionId: string, field: DraftField) => {
    // A draft is a convenience: it shows others what is typed here, and holds the deadline meanwhile.
    desk.saveDraft(id, { fields: { [questionId]: field } }).catch(() => {});
  };
  const tick = () => {
    lines.setPrompt(paint("dim", promptOf(present, now(), stderr.columns)));
    if (text === undefined) return;
    const value = [...text.lines, lines.typed].join("\n");
    if (value.trim() === "" || value === saved) return;
    saved = value;
    save(text.questionId, { values: [value] });
  };
  tick();
  const timer = setInterval(tick, 1_000);
  const ours = present.asker.project;
  const watch = await desk.watch(ours === undefined ? {} : { project: ours }, (event) => {
    const session =
      event.type === "session" ? event.session : event.type === "snapshot" ? event.sessions.find((one) => one.id === id) : undefined;
    if (session?.id !== id) return;
    present = session;
    tick();
  });
  const leave = await desk.attend(id);

  const settle = async (said: Said): Promise<void> => {
    if (said === undefined) {
      if (!isOver) await stderr.write("Nothing more is read here; the question can be answered elsewhere. Ctrl-C takes it back.\n");
      return;
    }
    try {
      await (said.kind === "answer" ? desk.answer(id, said.set) : desk.cancel(id));
      settledHere = true;
    } catch (error) {
      // Somebody else was first; `end` says who.
      if (!isAskboxError(error, "SESSION_CLOSED")) throw error;
    }
  };
  const stop = () => {
    clearInterval(timer);
    watch.close();
    leave();
    lines.close();
  };
  const asked = askPerson({
    session: present,
    lines,
    io,
    columns: stderr.columns,
    paint,
    openForm: context.terminalInbox && (async () => context.terminalInbox?.({ session: id, once: true })),
    onDraft: save,
    onText(begun) {
      text = begun;
    },
  })
    .then((said) => {
      stop();
      return settle(said);
    })
    .catch(async (thrown: unknown) => {
      stop();
      await stderr.write(`The answer could not be taken here: ${terminalLine(toAskboxError(thrown).message)}\n`);
    });

  return {
    async end() {
      isOver = true;
      stop();
      await asked;
      if (settledHere) return;
      const { outcome } = await desk.get(id);
      if (outcome?.kind === "answered") await stderr.write(`Answered ${actorName(outcome.by)}.\n`);
    },
  };
}

/** How much time is left, and who else has the session open. */
function promptOf({ deadlineAt, presence }: SessionView, now: number, columns: number): string {
  const left = deadlineAt === null ? "no deadline" : `${minutesAndSeconds(deadlineAt - now)} left`;
  return `${shorten([left, ...elsewhere(presence)].join(", "), Math.max(12, Math.floor(columns / 2)))} > `;
}

/** Everybody who has it open; one of those in a terminal is this one. */
function elsewhere({ openIn }: Presence): string[] {
  const own = openIn.findIndex(({ surface }) => surface === "terminal");
  return openIn.filter((_, index) => index !== own).map((by) => `open ${actorName(by)}`);
}

function minutesAndSeconds(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
