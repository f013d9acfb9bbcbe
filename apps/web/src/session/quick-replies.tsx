import type { Desk } from "@askbox/core";
import { useAskbox } from "@askbox/react";
import { useEffect, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import { pageState } from "../ui/page-state.ts";
import "./quick-replies.css";

type Phrases = Awaited<ReturnType<Desk["phrases"]>>;

/** Milliseconds for which a project's phrases are kept. */
const keptFor = 60_000;
const keptOn = pageState(() => new Map<string, { at: number; phrases: Promise<Phrases> }>());

interface QuickRepliesProps {
  /** Of the questions that are answered; undefined if they are of several. */
  project: string | undefined;
  kind: keyof Phrases;
  /** The text so far. */
  text: string;
  /** Whether a phrase can be written here; by default every one can. */
  fits?(phrase: string): boolean;
  onWrite(text: string): void;
}

/** What was often written in the project, to add to a text. Nothing is preselected. */
export function QuickReplies({ project, kind, text, fits = () => true, onWrite }: QuickRepliesProps) {
  const t = useTranslate();
  const page = useAskbox();
  const [phrases, setPhrases] = useState<Phrases>();
  useEffect(() => {
    let isWanted = true;
    const { desk, clock } = page;
    const kept = keptOn(page);
    const known = kept.get(project ?? "");
    const fresh = known !== undefined && clock.now() - known.at < keptFor ? known : { at: clock.now(), phrases: desk.phrases(project) };
    kept.set(project ?? "", fresh);
    // Without them, everything is typed.
    fresh.phrases.then(
      (read) => isWanted && setPhrases(read),
      () => kept.delete(project ?? ""),
    );
    return () => {
      isWanted = false;
    };
  }, [project, page]);
  const offered = (phrases?.[kind] ?? []).filter((phrase) => !text.includes(phrase) && fits(phrase));
  if (offered.length === 0) return null;
  return (
    <fieldset className="quick-replies">
      <legend className="quiet">{t("quick.title")}</legend>
      {offered.map((phrase) => (
        <button
          key={phrase}
          type="button"
          className="button small"
          onClick={() => onWrite(text.trim() === "" ? phrase : `${text.trimEnd()} ${phrase}`)}
        >
          <AgentText>{phrase}</AgentText>
        </button>
      ))}
    </fieldset>
  );
}
