import type { SessionView } from "@askbox/core";
import { matchingCommands } from "@askbox/inbox/commands";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { setFilter } from "../inbox/filter.ts";
import { navigate } from "../router/router.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { isComposing, keyOf } from "../ui/keyboard.ts";
import { type PaletteCommand, useCommands } from "./use-commands.ts";
import "./palette.css";

/** More than a person looks through; the others are found by typing. */
const most = 50;

/** A combobox of everything that the page can do and go to. `current` is the question open or under the cursor. */
export function Palette({ current, onClose }: { current: SessionView | undefined; onClose(): void }) {
  const t = useTranslate();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const commands = useCommands(current);
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const [said, setSaid] = useState("");
  useEffect(() => field.current?.focus(), []);

  const found = [...matchingCommands(commands, query), ...searching(query)].slice(0, most);
  const active = Math.min(at, found.length - 1);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);

  function searching(words: string): PaletteCommand[] {
    if (words.trim() === "") return [];
    const run = () => {
      setFilter({ text: words.trim() });
      navigate("/");
      return undefined;
    };
    return [{ id: "search", label: t("palette.search", { words: words.trim() }), run }];
  }
  const run = async (command: PaletteCommand | undefined) => {
    const doing = command?.run();
    if (command === undefined || doing === undefined) return onClose();
    setSaid("");
    setSaid((await doing) ?? "");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const key = keyOf(event);
    const by = { arrowdown: 1, arrowup: -1 }[key];
    if (by !== undefined) setAt((active + by + found.length) % Math.max(1, found.length));
    else if (key === "enter") void run(found[active]);
    else if (key === "ctrl+k") onClose();
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={t("palette.title")} onClose={onClose}>
      <input
        ref={field}
        className="text"
        type="text"
        role="combobox"
        aria-label={t("palette.label")}
        placeholder={t("palette.label")}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={found.length === 0 ? undefined : `${id}-${active}`}
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setAt(0);
          setSaid("");
        }}
        onKeyDown={onKeyDown}
      />
      <p className="quiet palette-said" role="status">
        {said}
      </p>
      <div ref={list} id={`${id}-list`} className="palette" role="listbox" aria-label={t("palette.title")} data-testid="palette">
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard chooses in the field above, which keeps the focus.
          // biome-ignore lint/a11y/useFocusableInteractive: the field names the active option.
          <div key={command.id} id={`${id}-${index}`} role="option" aria-selected={index === active} onClick={() => void run(command)}>
            <AgentText>{command.label}</AgentText>
            {command.detail !== undefined && <AgentText className="quiet">{command.detail}</AgentText>}
          </div>
        ))}
      </div>
    </Dialog>
  );
}
