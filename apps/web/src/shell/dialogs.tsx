/** The dialogs that the header opens from everywhere: all keys, and the preferences. */
import { type FormCommand, formCommand, formCommands, type KeyPlace, keyPlaces, type WebKeyAction } from "@askbox/inbox/commands";
import { useAskbox } from "@askbox/react";
import { useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { Link, useRoute } from "../router/router.tsx";
import { activeQuestion } from "../session/form-action.ts";
import { PreferenceFields } from "../settings/preference-fields.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { placeOf, worksAt } from "../ui/focus-place.ts";
import { keyLabel } from "../ui/key-hint.tsx";
import { keymap } from "../ui/keyboard.ts";

/** What applies to the open question, then all shortcuts; those that don't work where the focus was are pale. */
export function KeysDialog({ onClose }: { onClose(): void }) {
  const t = useTranslate();
  const [place] = useState(() => placeOf(document.activeElement));
  const here = useCommandsHere();
  return (
    <Dialog title={t("keys.title")} onClose={onClose}>
      {here.length > 0 && (
        <section className="keys">
          <h3>{t("keys.here")}</h3>
          <dl>
            {here.map((action) => (
              <Keys key={action} names={keymap.keysOf(action)} words={t(`keys.${action}`)} works={(key) => worksAt(place, action, key)} />
            ))}
          </dl>
        </section>
      )}
      {(Object.keys(keyPlaces) as KeyPlace[]).map((group) => (
        <section key={group} className="keys">
          <h3>{t(`keys.in.${group}`)}</h3>
          <dl>
            {group === "question" && (
              <Keys names={["1–9", "0", "Shift 1–0"]} words={t("keys.digit")} works={() => worksAt(place, "yes", "1")} />
            )}
            {group === "question" && <Keys names={["↑", "↓"]} words={t("keys.arrows")} works={() => worksAt(place, "yes", "1")} />}
            {group === "text" && <Keys names={["Shift Enter"]} words={t("keys.newline")} />}
            {group === "everywhere" && <Keys names={["Ctrl K"]} words={t("palette.keys")} />}
            {(keymap.actionsIn(group) as WebKeyAction[]).map((action) => (
              <Keys key={action} names={keymap.keysOf(action)} words={t(`keys.${action}`)} works={(key) => worksAt(place, action, key)} />
            ))}
          </dl>
        </section>
      ))}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          {t("action.close")}
        </button>
      </div>
    </Dialog>
  );
}

/** The commands of the open form that apply now. */
function useCommandsHere(): readonly FormCommand[] {
  const { forms, inbox } = useAskbox();
  const route = useRoute();
  const session = route.view === "session" ? inbox.find(route.id) : undefined;
  if (session === undefined || session.status !== "pending") return [];
  const state = forms.of(session).getState();
  const question = activeQuestion(state, undefined);
  return formCommands.filter((name) => formCommand(name, state, question) !== undefined);
}

function Keys({ names, words, works = () => true }: { names: readonly string[]; words: string; works?: (key: string) => boolean }) {
  return (
    <div>
      <dt>
        {names.map((name) => (
          <kbd key={name} data-off={!works(name) || undefined}>
            {keyLabel(name)}
          </kbd>
        ))}
      </dt>
      <dd>{words}</dd>
    </div>
  );
}

/** The preferences, without leaving a question. */
export function PreferencesDialog({ onClose }: { onClose(): void }) {
  const t = useTranslate();
  return (
    <Dialog title={t("preferences.title")} onClose={onClose}>
      <PreferenceFields />
      <div className="dialog-actions">
        <Link href="/settings" className="button quiet-button" onClick={onClose}>
          {t("preferences.all")}
        </Link>
        <button type="button" className="button" onClick={onClose}>
          {t("action.close")}
        </button>
      </div>
    </Dialog>
  );
}
