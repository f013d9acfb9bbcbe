import type { Option } from "@askbox/core/questions";
import { createContext, type ReactNode, type SyntheticEvent, useContext, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { Preview } from "../markdown/preview.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import { KeyHint } from "../ui/key-hint.tsx";
import { useMedia } from "../ui/use-media.ts";

/** From this width on, a preview is shown next to the options. */
const wide = "(width >= 1100px)";

/** Whether a widget has the pane's width; it doesn't in a row of the list. */
export const RoomContext = createContext(false);
const BesideContext = createContext(false);

/** Whether previews are next to the options, so that options don't show their own. */
export const useHasPreviewBeside = (): boolean => useContext(BesideContext);

interface WithPreviewsProps {
  options: readonly Option[];
  /** The value picked last. */
  chosen: string | undefined;
  /** The options; each row has its value in `data-option`. */
  children: ReactNode;
}

/** Options with the preview of the current one next to them, if there is room. */
export function WithPreviews({ options, chosen, children }: WithPreviewsProps) {
  const hasRoom = useContext(RoomContext);
  const isWide = useMedia(wide) && hasRoom;
  const previewed = options.filter(({ preview }) => preview !== undefined);
  if (previewed.length === 0 || !isWide) return children;
  return (
    <Beside options={options} previewed={previewed} chosen={chosen}>
      {children}
    </Beside>
  );
}

function Beside({ options, previewed, chosen, children }: WithPreviewsProps & { previewed: readonly Option[] }) {
  const t = useTranslate();
  const [seen, setSeen] = useState({ chosen, value: chosen ?? previewed[0]?.value });
  if (seen.chosen !== chosen) setSeen({ chosen, value: chosen ?? seen.value });
  const option = options.find(({ value }) => value === seen.value) ?? previewed[0];
  const look = ({ target }: SyntheticEvent) => {
    const value = (target as Element).closest<HTMLElement>("[data-option]")?.dataset["option"];
    if (value !== undefined && value !== seen.value) setSeen({ chosen, value });
  };
  const after = previewed.findIndex(({ value }) => value === option?.value) + 1;
  const next = previewed[after % previewed.length];
  return (
    <div className="beside">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only observes which option is current. */}
      <div className="beside-options" onFocus={look} onMouseOver={look}>
        <BesideContext value={true}>{children}</BesideContext>
      </div>
      <div className="beside-preview">
        <header>
          <p>
            <span className="quiet">{t("question.preview")}</span> {option !== undefined && <AgentText>{option.label}</AgentText>}
          </p>
          {next !== undefined && next.value !== option?.value && (
            <button type="button" className="link-button" data-next-preview onClick={() => setSeen({ chosen, value: next.value })}>
              {t("question.preview.next")}
              <KeyHint action="read" />
            </button>
          )}
        </header>
        {option?.preview === undefined ? (
          <p className="quiet">{t("question.preview.none")}</p>
        ) : (
          <Preview key={option.value} text={option.preview} />
        )}
      </div>
    </div>
  );
}
