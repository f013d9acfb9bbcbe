import { type Actor, type SessionView, surfaces } from "@askbox/core";
import { clientTitle, surfaceTitle } from "@askbox/core/clients";
import type { AnswerProblem } from "@askbox/core/questions";
import { nearest, sessionTitle } from "@askbox/inbox";
import { terminalLine } from "@askbox/terminal-text";
import { sayDuration } from "./first-phrases.ts";
import type { Translate } from "./translate.ts";

/** A length rounded to its largest unit, for what is left: 7 h 59 min are 8 h. */
export const sayRounded = (t: Translate, ms: number): string => sayDuration(t, nearest(ms));

/** How long ago something was. */
export function sayAgo(t: Translate, at: number, now: number): string {
  return now - at < 5_000 ? t("time.now") : t("time.ago", { time: sayDuration(t, now - at) });
}

/** Who did something, and where: `by Ada in the browser`. */
export function sayActor(t: Translate, { surface, name }: Actor): string {
  if (surface === "asker" || surface === "deadline") return t(`actor.${surface}`);
  if (surface === "grant") return name === undefined ? t("actor.some_grant") : t("actor.grant", { name: isolated(name) });
  const known = surfaces.find((each) => each === surface);
  const place = known === undefined ? t("actor.elsewhere", { surface: surfaceTitle(surface) }) : t(`place.${known}`);
  if (name === undefined) return place;
  // The name of a client's own form is the client's.
  return surface === "client" ? t("actor.form", { name: isolated(clientTitle(name)) }) : t("actor.person", { place, name: isolated(name) });
}

/** Isolates a name's writing direction and direction marks from the text around it. What isolates a part of it is left out: one is enough. */
export function isolated(text: string): string {
  return `\u2068${terminalLine(text.replace(/[\u2066-\u2069]/g, ""))}\u2069`;
}

/** The title of a dialog about one question, by its name, or about several. */
export function sayTitle(t: Translate, about: "cancel" | "deny" | "keep" | "agree" | "snooze", sessions: readonly SessionView[]): string {
  const [only, ...more] = sessions;
  if (only !== undefined && more.length === 0) return t(`${about}.title`, { title: isolated(sessionTitle(only)) });
  return t(about === "keep" || about === "agree" ? "deny.several" : `${about}.several`, { count: sessions.length });
}

/** The message for an invalid answer. */
export function sayProblem(t: Translate, { code, message, limit = "" }: AnswerProblem): string {
  return t(`error.${code}`, { message, limit });
}
