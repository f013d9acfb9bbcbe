import { type KeyPlace, keyPlaces, type WebKeyAction } from "@askbox/react/keymap";
import { useTranslate } from "../i18n/language.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { keyLabel } from "../ui/key-label.ts";
import { keymap } from "../ui/use-key.ts";

export function KeysDialog({ onClose }: { onClose(): void }) {
  const t = useTranslate();
  return (
    <Dialog title={t("keys.title")} onClose={onClose}>
      {(Object.keys(keyPlaces) as KeyPlace[]).map((place) => (
        <section key={place} className="keys">
          <h3>{t(`keys.in.${place}`)}</h3>
          <dl>
            {place === "question" && <Keys names={["1–9", "0"]} words={t("keys.digit")} />}
            {place === "text" && <Keys names={["Enter"]} words={t("keys.newline")} />}
            {(keymap.actionsIn(place) as WebKeyAction[]).map((action) => (
              <Keys key={action} names={keymap.keysOf(action).map(keyLabel)} words={t(`keys.${action}`)} />
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

function Keys({ names, words }: { names: readonly string[]; words: string }) {
  return (
    <div>
      <dt>
        {names.map((name) => (
          <kbd key={name}>{name}</kbd>
        ))}
      </dt>
      <dd>{words}</dd>
    </div>
  );
}
