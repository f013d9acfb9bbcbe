import { type Grant, type SessionView, toAskboxError } from "@askbox/core";
import type { Conversation } from "@askbox/core/clients";
import { clientTitle } from "@askbox/core/clients";
import { folderName, sessionTitle, useAskbox, useInbox } from "@askbox/react";
import { snoozeChoices } from "@askbox/react/triage";
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

/** What the palette offers. */
export interface PaletteCommand {
  id: string;
  /** What it does, with the words of agents isolated; each is shown as it is, and never as markup. */
  label: string;
  /** More words that are shown and found. */
  detail?: string;
  /** Words that are only found, such as others for the same. */
  synonyms?: string;
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

  const ofCurrent = current === undefined ? [] : aboutOne(current);
  function aboutOne(session: SessionView): PaletteCommand[] {
    const { resume } = agents.find(({ sessions: asked }) => asked.some(({ id }) => id === session.id)) ?? {};
    const now = clock.now();
    const choices = session.status === "pending" ? snoozeChoices([session], now) : [];
    return [
      ...choices.map(({ as, until }): PaletteCommand => {
        const time = t(`snooze.${as}`, { time: as === "until" ? moment(until) : sayDuration(t, until - now) });
        const snooze = async () => inbox.accept(await desk.snooze(session.id, { until }));
        return { id: `snooze ${as} ${until}`, label: t("palette.snooze", { time }), run: () => doing(snooze, t("palette.snoozed")) };
      }),
      copy("link", t("palette.copy.link"), `${location.origin}${basePath}${sessionPath(session.id)}`),
      copy("id", t("palette.copy.id"), session.id),
      ...(resume === undefined ? [] : [copy("resume", t("palette.copy.resume"), resume.command)]),
    ];
  }

  const sessions = [...pending.values()];
  const projects = [...new Set(sessions.flatMap(({ asker }) => asker.project ?? []))];
  const clients = [...new Set(sessions.map(({ asker }) => clientTitle(asker.client.name)))];
  const only = (id: string, label: string, filter: Parameters<typeof setFilter>[0]): PaletteCommand => ({
    id: `only ${id}`,
    label,
    run() {
      setFilter(filter);
      navigate("/");
      return undefined;
    },
  });
  return [
    ...ofCurrent,
    ...sessions.map((session): PaletteCommand => {
      const { asker } = session;
      const place = [clientTitle(asker.client.name), asker.project === undefined ? undefined : folderName(asker.project), asker.branch];
      const detail = place.filter((part) => part !== undefined).join(" · ");
      return { id: `open ${session.id}`, label: sessionTitle(session), detail, run: go(sessionPath(session.id)) };
    }),
    ...pages.map((page): PaletteCommand => ({ id: `page ${page}`, label: t(`nav.${page}`), run: go(page === "inbox" ? "/" : `/${page}`) })),
    ...projects.map((project) => only(project, t("palette.only", { what: folderName(project) }), { project })),
    ...clients.map((client) => only(client, t("palette.only", { what: client }), { text: client })),
    only("all", t("palette.all"), {}),
    ...agents.map((agent): PaletteCommand => {
      const { asker, name, state } = agent;
      const detail = [t(`agents.state.${state}`), asker.project === undefined ? undefined : folderName(asker.project), asker.branch];
      return {
        id: `agent ${agent.id}`,
        label: t("palette.agent", { name: name ?? clientTitle(asker.client.name) }),
        detail: detail.filter((part) => part !== undefined).join(" · "),
        run: go("/agents"),
      };
    }),
    ...agents.flatMap(({ id, asker, resume }) =>
      resume === undefined
        ? []
        : { ...copy(`resume ${id}`, t("palette.copy.resume"), resume.command), detail: clientTitle(asker.client.name) },
    ),
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
    ...grants.map(
      ({ id, match, shown, client, project }): PaletteCommand => ({
        id: `revoke ${id}`,
        label: t("palette.revoke", { what: exactText(match.type === "prefix" ? t("grants.prefix", { prefix: match.prefix }) : shown) }),
        detail: `${client} · ${folderName(project)}`,
        run: () => doing(() => hub.remove(id).then(readGrants), t("palette.revoked")),
      }),
    ),
  ];
}
