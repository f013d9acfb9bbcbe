import type { DocumentKeyAction } from "@askbox/inbox/commands";
import type { MessageKey } from "../i18n/en.ts";
import { useTranslate } from "../i18n/language.tsx";
import { useFocusPlace } from "../ui/focus-place.ts";
import { keyLabel } from "../ui/key-names.ts";
import { documentKeymap } from "../widgets/document-cursor.ts";

/** The keys of the document that has the focus, as a terminal's last line shows them. */
export function DocumentKeys() {
  const t = useTranslate();
  if (useFocusPlace() !== "document") return null;
  const hasFiles = document.activeElement?.matches("[data-files]") === true;
  const keys = (...actions: DocumentKeyAction[]) => actions.map((action) => documentKeymap.keysOf(action)[0] ?? "");
  const all: [readonly string[], MessageKey][] = [
    [keys("lineDown", "lineUp"), "document.keys.line"],
    [["shift+down"], "document.keys.extend"],
    [keys("remark"), "document.keys.remark"],
    [keys("nextStop", "previousStop"), hasFiles ? "document.keys.stop" : "document.keys.stop.comment"],
    ...(hasFiles ? ([[keys("viewed"), "document.keys.viewed"]] as [readonly string[], MessageKey][]) : []),
    [["escape"], "document.keys.back"],
  ];
  return (
    <p className="document-keys" aria-hidden="true">
      {all.map(([names, words]) => (
        <span key={words}>
          {names.map((name) => (
            <kbd key={name}>{keyLabel(name)}</kbd>
          ))}{" "}
          {t(words)}
        </span>
      ))}
    </p>
  );
}
