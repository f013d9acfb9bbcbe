/** An empty inbox. Until it has been used: how an agent gets to ask, and which first steps are left. */
import "./beginnings.css";
import type { ReactNode } from "react";
import { canNotify } from "../alerts/notify.ts";
import { host } from "../boot/host.ts";
import { useTranslate } from "../i18n/language.tsx";
import { Link } from "../router/router.tsx";
import { useSettings } from "../stored-settings.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Icon } from "../ui/icons.tsx";
import { laterIcons } from "../ui/later-icons.ts";
import { NotifyQuestion } from "./notify-question.tsx";
import { type Beginnings, useBeginnings } from "./use-beginnings.ts";

/** Shown instead of the list while nothing is pending. */
export function Nothing() {
  const t = useTranslate();
  const begun = useBeginnings();
  if (begun === undefined) return null;
  if (!begun.hasAsked)
    return (
      <FirstAgent>
        <Steps begun={begun} />
      </FirstAgent>
    );
  return (
    <div className="nothing">
      <p className="nothing-title">{t("inbox.empty.title")}</p>
      <p className="quiet">{t("inbox.empty.text")}</p>
      <p>
        <Link href="/history" className="button small">
          {t("nav.history")}
        </Link>
      </p>
      <Steps begun={begun} />
    </div>
  );
}

/** What to run so that an agent asks. The program around a hub that has one sets up its agents itself. */
export function FirstAgent({ children }: { children?: ReactNode }) {
  const t = useTranslate();
  return (
    <div className="nothing">
      <p className="nothing-title">{t("agents.none.title")}</p>
      {host === undefined && (
        <dl className="first-commands">
          <Command words={t("begin.setup")} text="askbox setup" />
          <Command words={t("begin.ask")} text={'askbox ask "Deploy to production?" --type confirm'} />
        </dl>
      )}
      {children}
    </div>
  );
}

/** A command to run in a shell, and what it is for. */
export function Command({ words, text }: { words: string; text: string }) {
  return (
    <div>
      <dt>{words}</dt>
      <dd>
        <code dir="ltr">{text}</code>
        <CopyButton text={text} />
      </dd>
    </div>
  );
}

/** The first steps, until all are done. */
function Steps({ begun: { hasAsked, hasAnswered } }: { begun: Beginnings }) {
  const t = useTranslate();
  const { notify } = useSettings();
  const steps = [
    { words: t("begin.step.agent"), isDone: hasAsked },
    { words: t("begin.step.answer"), isDone: hasAnswered },
    ...(canNotify() ? [{ words: t("begin.step.notify"), isDone: notify !== "unasked" }] : []),
  ];
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <>
      <ol className="first-steps" aria-label={t("begin.steps")}>
        {steps.map(({ words, isDone }) => (
          <li key={words} data-done={isDone || undefined}>
            <Icon name={isDone ? laterIcons.check : laterIcons.open} />
            {words}
            {isDone && <span className="visually-hidden">{t("begin.done")}</span>}
          </li>
        ))}
      </ol>
      <NotifyQuestion />
    </>
  );
}
