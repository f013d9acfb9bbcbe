/** The palette: what can be done with the question at hand, then commands, then questions, agents and grants; what a person types finds any. */
import "./palette.css";
import { type Grant, type SessionView, toAskboxError } from "@askbox/core";
import { type Conversation, clientTitle } from "@askbox/core/clients";
import { sessionTitle, sortSessions } from "@askbox/inbox";
import {
  askedFrom,
  type CommandText,
  decliningWords,
  distinctKeys,
  type FormCommand,
  formCommand,
  formCommands,
  matchingCommands,
  otherItems,
  type PaletteItem,
  placeAfter,
  questionItems,
  type WebKeyAction,
} from "@askbox/inbox/commands";
import { groupings } from "@askbox/inbox/list";
import { useAskbox, useInbox } from "@askbox/react";
import { exactText } from "@askbox/terminal-text";
import { Fragment, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { basePath } from "../base-path.ts";
import { sayDuration } from "../i18n/first-phrases.ts";
import { useFormats } from "../i18n/formats.ts";
import { useTranslate } from "../i18n/language.tsx";
import { sayPlace } from "../i18n/say-place.ts";
import { languages } from "../i18n/translate.ts";
import { setFilter } from "../inbox/filter.ts";
import { navigate, sessionPath, useRoute } from "../router/router.tsx";
import { activeQuestion } from "../session/form-action.ts";
import { useGrants } from "../settings/devices.ts";
import { changeSettings } from "../stored-settings.ts";
import { AgentText } from "../ui/agent-text.tsx";
import { copyText } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { keyLabel, pressKey } from "../ui/key-names.ts";
import { isComposing, keymap, keyOf } from "../ui/keyboard.ts";

/** What the palette offers; its texts are shown as they are, with the words of agents isolated, and never as markup. */
interface PaletteCommand extends CommandText {
  id: string;
  /** What it belongs to, as a heading. */
  group?: string;
  /** The key that does it without the palette. */
  action?: WebKeyAction;
  /** Does it; returns what to say, for as long as the palette stays open. Default: what the key does, once the palette is closed. */
  run?: () => undefined | Promise<string | undefined>;
}

/** More than a person reads; the others are found by typing. */
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
    const option = list.current?.querySelectorAll("[role=option]")[active];
    // With the heading above the first.
    (active === 0 ? list.current?.firstElementChild : option)?.scrollIntoView({ block: "nearest" });
    option?.scrollIntoView({ block: "nearest" });
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
    if (command?.run === undefined) {
      // What the key is for has the focus again.
      flushSync(onClose);
      if (command?.action !== undefined) pressKey(command.action);
      return;
    }
    const doing = command.run();
    if (doing === undefined) return onClose();
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
          <Fragment key={command.id}>
            {query === "" && command.group !== undefined && command.group !== found[index - 1]?.group && (
              <div className="palette-group" role="presentation">
                <AgentText>{command.group}</AgentText>
              </div>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard chooses in the field above, which keeps the focus. */}
            {/* biome-ignore lint/a11y/useFocusableInteractive: the field names the active option. */}
            <div id={`${id}-${index}`} role="option" aria-selected={index === active} onClick={() => void run(command)}>
              <AgentText>{command.label}</AgentText>
              {command.detail !== undefined && <AgentText className="quiet">{command.detail}</AgentText>}
              {command.action !== undefined && <kbd>{keyLabel(distinctKeys(keymap.keysOf(command.action))[0] ?? "")}</kbd>}
            </div>
          </Fragment>
        ))}
      </div>
    </Dialog>
  );
}

const pages = ["inbox", "agents", "history", "ran", "numbers", "settings"] as const;
/** What a key does with an open question, besides deciding about an action, for which it has to be in view. */
const ofTheForm = formCommands.filter(
  (name): name is Exclude<FormCommand, "no" | "allow" | "snooze"> => !/^(no|allow|always|snooze)$/.test(name),
);
const themes = ["system", "light", "dark"] as const;

/** Other words for the colours and the language, in every language of the page, since people type what they know from elsewhere. */
const synonyms = {
  theme: "theme color colour scheme mode appearance 主题 颜色 模式 外观",
  system: "system auto automatic 系统 自动",
  light: "light bright white day 浅色 亮色 明亮 白天",
  dark: "dark black night 深色 暗色 黑暗 夜间",
  help: "help keys shortcuts 帮助 快捷键",
  language: "language translation 语言 翻译",
  en: "english 英文 英语",
  zh: "chinese 中文 汉语",
};

/** The commands that apply now; those about one question for `current`, the one open or under the cursor. */
function useCommands(current: SessionView | undefined): PaletteCommand[] {
  const t = useTranslate();
  const { moment } = useFormats();
  const { desk, inbox, forms, clock } = useAskbox();
  const { pending } = useInbox();
  const isOpen = useRoute().view === "session";
  const hub = useGrants();
  const [agents, setAgents] = useState<readonly Conversation[]>([]);
  const [grants, setGrants] = useState<readonly Grant[]>([]);
  const readGrants = async () => setGrants((await hub.list()).filter(({ expiresAt }) => expiresAt > clock.now()));
  useEffect(() => {
    // Without them, the palette has everything else.
    desk.conversations().then(setAgents, () => {});
    readGrants().catch(() => {});
  }, []);

  const go = (path: string) => () => void navigate(path);
  const copy = (id: string, label: string, text: string): PaletteCommand => ({
    id: `copy ${id}`,
    label,
    run: async () => t((await copyText(text)) ? "unsent.copied" : "unsent.refused"),
  });
  const doing = async (work: () => Promise<unknown>, done: string) => {
    try {
      await work();
      return done;
    } catch (error) {
      return t("devices.failed", { message: toAskboxError(error).message });
    }
  };

  const only = (id: string, label: string, filter: Parameters<typeof setFilter>[0]): PaletteCommand => ({
    id: `only ${id}`,
    label,
    run() {
      setFilter(filter);
      navigate("/");
      return undefined;
    },
  });
  const said = (item: PaletteItem): PaletteCommand => {
    switch (item.does) {
      case "snooze": {
        const { session, choice } = item;
        const { as, until } = choice;
        const time = t(`snooze.${as}`, { time: as === "until" ? moment(until) : sayDuration(t, until - clock.now()) });
        const snooze = async () => inbox.accept(await desk.snooze(session.id, { until }));
        return { id: `snooze ${as} ${until}`, label: t("palette.snooze", { time }), run: () => doing(snooze, t("palette.snoozed")) };
      }
      case "copy id":
        return copy("id", t("palette.copy.id"), item.session.id);
      case "copy resume": {
        const { agent, command, about } = item;
        const copied = copy(`resume ${about === undefined ? agent.id : ""}`, t("palette.copy.resume"), command);
        return about === undefined ? { ...copied, detail: clientTitle(agent.asker.client.name) } : copied;
      }
      case "open": {
        const { session } = item;
        return { id: `open ${session.id}`, label: sessionTitle(session), detail: askedFrom(session), run: go(sessionPath(session.id)) };
      }
      case "only": {
        const { by, value } = item;
        return only(`${by} ${value}`, t("palette.only", { what: by === "project" ? sayPlace(t, value) : value }), { [by]: value });
      }
      case "show all":
        return only("all", t("palette.all"), {});
      case "show agent": {
        const { id, asker, name, state } = item.agent;
        const label = t("palette.agent", { name: name ?? clientTitle(asker.client.name) });
        return { id: `agent ${id}`, label, detail: placeAfter(t(`agents.state.${state}`), asker), run: go("/agents") };
      }
      case "revoke": {
        const { id, match, shown, client, project, machine } = item.grant;
        return {
          id: `revoke ${id}`,
          label: t("palette.revoke", { what: exactText(match.type === "prefix" ? t("grants.prefix", { prefix: match.prefix }) : shown) }),
          detail: placeAfter(clientTitle(client), { project, machine }),
          run: () => doing(() => hub.remove(id).then(readGrants), t("palette.revoked")),
        };
      }
    }
  };

  const byKey = (action: WebKeyAction, label = t(`keys.${action}`)): PaletteCommand => ({ id: `key ${action}`, label, action });
  const about = current === undefined ? [] : questionItems(current, [], agents, clock.now());
  const snoozing = () => [byKey("snooze", t("action.snooze")), ...about.filter(({ does }) => does === "snooze").map(said)];
  /** What the keys do with the question that is open or under the cursor. */
  const aboutCurrent = (session: SessionView): PaletteCommand[] => {
    const words = decliningWords(session);
    const declining = words === "deny" ? `${t("approval.deny")}…` : t(words === "keep planning" ? "plan.keep" : "action.cancel");
    const link = copy("link", t("palette.copy.link"), `${location.origin}${basePath}${sessionPath(session.id)}`);
    if (!isOpen) {
      const open: PaletteCommand = { id: "key open", label: t("peek.open"), action: "open", run: go(sessionPath(session.id)) };
      return [open, byKey("cancel", declining), ...snoozing(), byKey("select", t("palette.select")), link];
    }
    const state = forms.of(session).getState();
    const question = activeQuestion(state, undefined);
    const applying = ofTheForm.filter((name) => formCommand(name, state, question) !== undefined);
    return [...applying.map((name) => byKey(name, name === "cancel" ? declining : undefined)), ...snoozing(), link];
  };

  const sessions = sortSessions([...pending.values()], "deadline");
  const inGroup = (group: string, commands: PaletteCommand[]) => commands.map((command) => ({ ...command, group }));
  const setting = (id: string, label: string, change: Parameters<typeof changeSettings>[0]): PaletteCommand => ({
    id: `setting ${id}`,
    label,
    run() {
      changeSettings(change);
      navigate("/");
      return undefined;
    },
  });
  const view: PaletteCommand[] = [
    ...(["none", ...groupings] as const).map((by) =>
      setting(`group ${by}`, `${t("inbox.groups")}: ${t(`inbox.groups.${by}`)}`, { groupBy: by }),
    ),
    ...(["deadline", "newest"] as const).map((sort) => setting(`sort ${sort}`, `${t("inbox.sort")}: ${t(`inbox.sort.${sort}`)}`, { sort })),
    ...(["comfortable", "compact"] as const).map((density) =>
      setting(`rows ${density}`, `${t("inbox.density")}: ${t(`inbox.density.${density}`)}`, { density }),
    ),
  ];
  return [
    ...(current === undefined
      ? []
      : inGroup(sessionTitle(current), [...aboutCurrent(current), ...about.filter(({ does }) => does !== "snooze").map(said)])),
    ...inGroup(t("palette.commands"), [
      ...pages.map(
        (page): PaletteCommand => ({
          id: `page ${page}`,
          label: t(`nav.${page}`),
          ...((page === "agents" || page === "history" || page === "ran") && { action: page }),
          run: go(page === "inbox" ? "/" : `/${page}`),
        }),
      ),
      { id: "help", label: t("keys.title"), synonyms: synonyms.help, action: "help" },
      ...view,
      ...themes.map(
        (theme): PaletteCommand => ({
          id: `theme ${theme}`,
          label: `${t("preferences.theme")}: ${t(`preferences.theme.${theme}`)}`,
          synonyms: `${synonyms.theme} ${synonyms[theme]}`,
          run: () => void changeSettings({ theme }),
        }),
      ),
      ...Object.entries(languages).map(
        ([code, name]): PaletteCommand => ({
          id: `language ${code}`,
          label: `${t("preferences.language")}: ${name}`,
          synonyms: `${synonyms.language} ${synonyms[code as keyof typeof languages]}`,
          run: () => void changeSettings({ language: code as keyof typeof languages }),
        }),
      ),
    ]),
    ...inGroup(t("inbox.list"), questionItems(undefined, sessions, agents, clock.now()).map(said)),
    ...inGroup(t("palette.more"), otherItems(sessions, agents, grants).map(said)),
  ];
}
