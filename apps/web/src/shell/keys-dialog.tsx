import type { MessageKey } from "../i18n/en.ts";
import { useTranslate } from "../i18n/language.tsx";
import { Dialog } from "../ui/dialog.tsx";

const groups: readonly { title: MessageKey; keys: readonly (readonly [keys: readonly string[], means: MessageKey])[] }[] = [
  {
    title: "keys.everywhere",
    keys: [
      [["?"], "keys.help"],
      [["/"], "keys.search"],
      [["Esc"], "keys.inbox"],
    ],
  },
  {
    title: "keys.list",
    keys: [
      [["J", "K"], "keys.move"],
      [["N"], "keys.open"],
    ],
  },
  {
    title: "keys.form",
    keys: [
      [["1–9", "0"], "keys.digit"],
      [["R"], "keys.recommended"],
      [["Ctrl Enter"], "keys.next"],
      [["P"], "keys.previous"],
      [["Enter"], "keys.newline"],
      [["X"], "keys.cancel"],
    ],
  },
];

export function KeysDialog({ onClose }: { onClose(): void }) {
  const t = useTranslate();
  return (
    <Dialog title={t("keys.title")} onClose={onClose}>
      {groups.map(({ title, keys }) => (
        <section key={title} className="keys">
          <h3>{t(title)}</h3>
          <dl>
            {keys.map(([names, means]) => (
              <div key={means}>
                <dt>
                  {names.map((name) => (
                    <kbd key={name}>{name}</kbd>
                  ))}
                </dt>
                <dd>{t(means)}</dd>
              </div>
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
