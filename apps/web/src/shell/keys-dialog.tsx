/** All keys: first those that work here, where the focus was, then the others by where they work. Words narrow them. */
import "./keys.css";
import type { Question } from "@askbox/core";
import { offeredOptions, takesOther, traitsOf } from "@askbox/core/questions";
import type { FormState } from "@askbox/inbox";
import {
  type DocumentKeyAction,
  distinctKeys,
  formCommand,
  formCommands,
  isDecision,
  type KeyPlace,
  keyPlaces,
  type WebKeyAction,
} from "@askbox/inbox/commands";
import { useAskbox } from "@askbox/react";
import { useEffect, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { type Route, useRoute } from "../router/router.tsx";
import { activeQuestion } from "../session/form-action.ts";
import { Dialog } from "../ui/dialog.tsx";
import { isTypedInto, placeOf, worksAt } from "../ui/focus-place.ts";
import { Icon } from "../ui/icons.tsx";
import { keyLabel } from "../ui/key-names.ts";
import { keymap } from "../ui/keyboard.ts";
import { documentKeymap } from "../widgets/document-cursor.ts";
import { pickOfDigit } from "../widgets/widget.ts";

/** Keys that aren't bound to one action. */
const others = {
  digit: { place: "question", keys: ["1–9", "0", "shift+1–0"] },
  arrows: { place: "question", keys: ["↑", "↓"] },
  newline: { place: "text", keys: ["shift+enter"] },
  palette: { place: "everywhere", keys: ["ctrl+k"] },
} as const satisfies Record<string, { place: KeyPlace; keys: readonly string[] }>;
type Listed = WebKeyAction | keyof typeof others;

const otherOf = (name: Listed) => (Object.hasOwn(others, name) ? others[name as keyof typeof others] : undefined);
const keysOf = (name: Listed): readonly string[] => otherOf(name)?.keys ?? keymap.keysOf(name as WebKeyAction);

export function KeysDialog({ onClose }: { onClose(): void }) {
  const t = useTranslate();
  const field = useRef<HTMLInputElement>(null);
  const [place] = useState(() => placeOf(document.activeElement));
  const [query, setQuery] = useState("");
  useEffect(() => field.current?.focus(), []);

  const works = (name: Listed) => (key: string) =>
    otherOf(name) === undefined
      ? worksAt(place, name as WebKeyAction, key)
      : !isTypedInto(place, key.replace(/^[1↑↓].*/, "1").replace(/^shift\+1.*/, "!"));
  const isAgents = useRoute().view === "agents";
  /** Of a document, which has keys of its own while it has the focus. */
  const ofDocument = (documentKeymap.actionsIn("document") as DocumentKeyAction[]).map((name) => ({
    name,
    keys: distinctKeys(documentKeymap.keysOf(name)),
  }));
  const here: { name: Listed | DocumentKeyAction; keys: readonly string[] }[] = [
    ...(place === "document" ? ofDocument : []),
    ...useHere().map((name) => ({ name, keys: distinctKeys(keysOf(name)).filter(works(name)) })),
  ].filter(({ keys }) => keys.length > 0);
  const elsewhere = (group: KeyPlace): typeof here => [
    ...(group === "document" && place !== "document" ? ofDocument : []),
    ...[
      ...(Object.keys(others) as (keyof typeof others)[]).filter((name) => others[name].place === group),
      ...(keymap.actionsIn(group) as WebKeyAction[]),
    ]
      .filter((name) => !here.some((each) => each.name === name))
      .map((name) => ({ name, keys: distinctKeys(keysOf(name)) })),
  ];
  const wanted = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const sections = [
    { title: t("keys.here"), rows: here },
    ...(Object.keys(keyPlaces) as KeyPlace[]).map((group) => ({ title: t(`keys.in.${group}`), rows: elsewhere(group) })),
  ]
    .map(({ title, rows }) => ({
      title,
      rows: rows.map(({ name, keys }) => ({
        name,
        words: t(isAgents && name === "askBack" ? "agents.write" : `keys.${name}`),
        keys: keys.map(keyLabel),
      })),
    }))
    .map(({ title, rows }) => {
      const found = rows.filter(({ words, keys }) => {
        const text = `${title} ${words} ${keys.join(" ")}`.toLowerCase();
        return wanted.every((word) => text.includes(word));
      });
      return { title, rows: found };
    })
    .filter(({ rows }) => rows.length > 0);
  return (
    <Dialog title={t("keys.title")} className="keys-dialog" onClose={onClose}>
      <div className="keys-tools">
        <input
          ref={field}
          className="text"
          type="text"
          aria-label={t("keys.filter")}
          placeholder={t("keys.filter")}
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <button type="button" className="icon-button" aria-label={t("action.close")} title={`${t("action.close")} (Esc)`} onClick={onClose}>
          <Icon name="cross" />
        </button>
      </div>
      {sections.length === 0 && (
        <p className="quiet" role="status">
          {t("keys.none")}
        </p>
      )}
      <div className="keys-columns">
        {sections.map(({ title, rows }) => (
          <section key={title} className="keys">
            <h3>{title}</h3>
            <dl>
              {rows.map(({ name, words, keys }) => (
                <div key={name}>
                  <dt>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{words}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/** What keys do on each page besides the inbox. */
const ofPages: Partial<Record<Route["view"], readonly WebKeyAction[]>> = {
  agents: ["down", "up", "first", "last", "open", "askBack"],
  ran: ["down", "up", "first", "last", "search"],
  history: ["down", "up", "first", "last", "open", "search", "back"],
};

/** What keys do on this page, or in its open question, now. */
function useHere(): readonly Listed[] {
  const { forms, inbox } = useAskbox();
  const route = useRoute();
  if (route.view === "inbox") return [...(keymap.actionsIn("list") as WebKeyAction[]), "cancel", "undo"];
  const session = route.view === "session" ? inbox.find(route.id) : undefined;
  if (session === undefined || session.status !== "pending") return ofPages[route.view] ?? [];
  const state = forms.of(session).getState();
  const question = activeQuestion(state, document.activeElement?.closest<HTMLElement>("[data-question]")?.dataset["question"]);
  const inDocument = (keymap.actionsIn("question") as WebKeyAction[]).filter((name) => name === "read" && hasToRead());
  const answers: Listed[] = question === undefined || isDecision(session) ? [] : answersTo(state, question);
  const commands = formCommands.filter((name) => !answers.includes(name) && formCommand(name, state, question) !== undefined);
  const steps: Listed[] = state.layout === "steps" && state.steps > 1 ? ["next", "previous"] : [];
  return [...(isDecision(session) ? [] : (["confirm"] as const)), ...answers, ...commands, ...inDocument, ...steps, "back"];
}

/** The keys that answer a question. */
function answersTo(state: FormState, question: Question): Listed[] {
  const has = (shortcut: "yes" | "no") => offeredOptions(question).some((option) => option.shortcut === shortcut);
  return [
    ...(["yes", "no"] as const).filter(has),
    ...(pickOfDigit(state, question, "1") === undefined && traitsOf(question).picks !== "order" ? [] : (["digit", "arrows"] as const)),
    ...(takesOther(question) ? (["other"] as const) : []),
  ];
}

/** Whether the open question has a document, previews or pictures. */
const hasToRead = (): boolean =>
  document.querySelector(".question :is(.diff[data-takes], .option-preview, .beside-preview, [data-next-preview], .picture)") !== null;
