import type { Question } from "@askbox/core";
import { type allImages, shownImages } from "@askbox/core/questions";
import { useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { isolated } from "../i18n/phrases.ts";
import { AgentText } from "../ui/agent-text.tsx";
import { later } from "../ui/later.tsx";
import { MissingPicture, nameOf, Picture, usePicture } from "./picture.tsx";
import "./pictures.css";

const PictureViewer = later(async () => (await import("./picture-viewer.tsx")).PictureViewer);

interface PicturesProps {
  sessionId: string;
  question: Question;
  /** Those of the question itself, or of one option. Default: all, each with its option's label, and small. */
  only?: ReturnType<typeof allImages> | undefined;
}

/** An agent's pictures, side by side; each opens a viewer for all of the question. */
export function Pictures({ sessionId, question, only }: PicturesProps) {
  const t = useTranslate();
  const [open, setOpen] = useState<number>();
  const all = shownImages(question);
  const isShown = (index: number) => only === undefined || only.includes((all[index] as Shown).image);
  if (!all.some((_, index) => isShown(index))) return null;
  return (
    <>
      <ul className="pictures" data-small={only === undefined || undefined} aria-label={t("pictures.label")}>
        {all.map(
          (shown, index) =>
            isShown(index) && (
              // They never change, and one may be there twice.
              <li key={index}>
                <Thumbnail {...shown} sessionId={sessionId} isAlone={only !== undefined} onOpen={() => setOpen(index)} />
              </li>
            ),
        )}
      </ul>
      {open !== undefined && <PictureViewer sessionId={sessionId} all={all} first={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

type Shown = ReturnType<typeof shownImages>[number];

interface ThumbnailProps extends Shown {
  sessionId: string;
  /** Whether its option is clear from where it stands. */
  isAlone: boolean;
  onOpen(): void;
}

function Thumbnail({ sessionId, image, option, isAlone, onOpen }: ThumbnailProps) {
  const t = useTranslate();
  const loaded = usePicture(sessionId, image.sha256);
  return (
    <figure className="picture">
      {loaded.problem === undefined ? (
        <button type="button" aria-label={t("pictures.open", { name: isolated(nameOf(image)) })} onClick={onOpen}>
          <Picture image={image} loaded={loaded} />
        </button>
      ) : (
        <MissingPicture image={image} loaded={loaded} />
      )}
      {((option !== undefined && !isAlone) || image.alt !== undefined) && (
        <figcaption>
          {option !== undefined && !isAlone && <AgentText className="picture-option">{option}</AgentText>}
          {image.alt !== undefined && <AgentText>{image.alt}</AgentText>}
        </figcaption>
      )}
    </figure>
  );
}
