import { type Grant, type SessionView, toAskboxError } from "@askbox/core";
import type { Conversation } from "@askbox/core/clients";
import { clientTitle } from "@askbox/core/clients";
import { folderName, sessionTitle } from "@askbox/inbox";
import { askedFrom, type CommandText, otherItems, type PaletteItem, placeAfter, questionItems } from "@askbox/inbox/commands";
import { useAskbox, useInbox } from "@askbox/react";
import { exactText } from "@askbox/terminal-text";
import { useEffect, useState } from "react";
import { basePath } from "../base-path.ts";
import { useFormats } from "../i18n/formats.ts";
import { useTranslate } from "../i18n/language.tsx";
import { sayDuration } from "../i18n/phrases.ts";
import { languages } from "../i18n/translate.ts";
import { setFilter } from "../inbox/filter.ts";
import { navigate, sessionPath } from "../router/router.tsx";
import { useGrants } from "../settings/grants.ts";
import { changeSettings } from "../stored-settings.ts";
import { copyText } from "../ui/copy-button.tsx";

/** What the palette offers; its texts are shown as they are, with the words of agents isolated, and never as markup. */
export interface PaletteCommand extends CommandText {
  id: string;
  /** Does it; returns what to say, for as long as the palette stays open. */
  run(): undefined | Promise<string | undefined>;
}

const pages = ["inbox", "agents", "history", "numbers", "settings"] as const;
const themes = ["system", "light", "dark"] as const;

/** Other words for the colours and the language, in every language of the page, since people type what they know from elsewhere. */
const synonyms = {
  theme: "theme color colour scheme mode appearance 主题 颜色 模式 外观",
  system: "system auto automatic 系统 自动",
  light: "light bright white day 浅色 亮色 明亮 白天",
  dark: "dark black night 深色 暗色 黑暗 夜间",
  language: "language translation 语言 翻译",
  en: "english 英文 英语",
  zh: "chinese 中文 汉语",
};

/** The commands that apply now; those about one question for `current`, the one open or under the cursor. */
export function useCommands(current: SessionView | undefined): PaletteCommand[] {
  const t = useTranslate();
  const { moment } = useFormats();
  const { desk, inbox, clock } = useAskbox();
  const { pending } = useInbox();
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
        return only(`${by} ${value}`, t("palette.only", { what: by === "project" ? folderName(value) : value }), { [by]: value });
      }
      case "show all":
        return only("all", t("palette.all"), {});
      case "show agent": {
        const { id, asker, name, state } = item.agent;
        const label = t("palette.agent", { name: name ?? clientTitle(asker.client.name) });
        return { id: `agent ${id}`, label, detail: placeAfter(t(`agents.state.${state}`), asker), run: go("/agents") };
      }
      case "revoke": {
        const { id, match, shown, client, project } = item.grant;
        return {
          id: `revoke ${id}`,
          label: t("palette.revoke", { what: exactText(match.type === "prefix" ? t("grants.prefix", { prefix: match.prefix }) : shown) }),
          detail: `${client} · ${folderName(project)}`,
          run: () => doing(() => hub.remove(id).then(readGrants), t("palette.revoked")),
        };
      }
    }
  };

  const sessions = [...pending.values()];
  return [
    ...(current === undefined ? [] : [copy("link", t("palette.copy.link"), `${location.origin}${basePath}${sessionPath(current.id)}`)]),
    ...questionItems(current, sessions, agents, clock.now()).map(said),
    ...pages.map((page): PaletteCommand => ({ id: `page ${page}`, label: t(`nav.${page}`), run: go(page === "inbox" ? "/" : `/${page}`) })),
    ...otherItems(sessions, agents, grants).map(said),
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
  ];
}
