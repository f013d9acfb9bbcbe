import type { WebKeyAction } from "@askbox/inbox/commands";
import type { MessageKey } from "../i18n/en.ts";
import { useTranslate } from "../i18n/language.tsx";
import { keyAt, useFocusPlace } from "../ui/focus-place.ts";
import { keyLabel } from "../ui/key-names.ts";

type Hints = readonly (readonly [action: WebKeyAction, words: MessageKey])[];

const hints: Readonly<Record<"list" | "selecting" | "search" | "open", Hints>> = {
  list: [
    ["open", "strip.open"],
    ["snooze", "strip.snooze"],
    ["select", "strip.select"],
    ["help", "strip.help"],
  ],
  selecting: [
    ["select", "strip.select"],
    ["selectDown", "strip.more"],
    ["back", "strip.back"],
  ],
  search: [
    ["open", "strip.open"],
    ["back", "strip.back"],
  ],
  open: [
    ["down", "strip.next"],
    ["up", "strip.previous"],
    ["back", "strip.list"],
  ],
};

/** The keys that matter now, on one line below the list; the help has all of them. */
export function ListKeys({ isOpen, isSelecting }: { isOpen: boolean; isSelecting: boolean }) {
  const t = useTranslate();
  const place = useFocusPlace();
  const mode = isOpen ? "open" : place === "elsewhere" ? "search" : isSelecting ? "selecting" : "list";
  return hints[mode].map(([action, words]) => (
    <span key={action}>
      <kbd>{keyLabel(mode === "search" && action === "open" ? "enter" : keyAt(isOpen || mode === "search" ? "page" : place, action))}</kbd>{" "}
      {t(words)}
    </span>
  ));
}
