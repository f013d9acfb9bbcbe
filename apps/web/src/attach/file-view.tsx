import { type AnswerFile, bytesText } from "@askbox/core/questions";
import { useAskbox } from "@askbox/react";
import { useTranslate } from "../i18n/language.tsx";
import { usePicture } from "../pictures/picture.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import { download, fileBytes } from "./files-client.ts";
import "./attach.css";

/** Pictures that a browser shows and that can't run anything. */
const shown = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
/** Larger pictures are not loaded for a thumbnail, in bytes. */
const largest = 8_000_000;

/** Whether a file is shown as a picture. */
export const isPicture = ({ mimeType, size }: AnswerFile): boolean => shown.has(mimeType) && size <= largest;

/** A stored file: a thumbnail if it is a picture, its name and size, and a button that saves it. */
export function FileView({ sessionId, file, isNew = false }: { sessionId: string; file: AnswerFile; isNew?: boolean }) {
  const t = useTranslate();
  const { url } = usePicture(sessionId, isPicture(file) ? file.sha256 : undefined);
  const { clock } = useAskbox();
  const save = async () => download(clock, file.name, await fileBytes(clock, sessionId, file.sha256));
  return (
    <>
      {url !== undefined && <img className="file-picture" src={url} alt={file.caption ?? file.name} />}
      <span className="file-facts">
        <AgentText>{file.name}</AgentText>
        <span className="quiet">{bytesText(file.size)}</span>
        {!isNew && file.caption !== undefined && <AgentText className="quiet">{file.caption}</AgentText>}
      </span>
      {!isNew && (
        <button type="button" className="link-button" onClick={() => void save().catch(() => {})}>
          {t("files.save")}
        </button>
      )}
    </>
  );
}

/** The files of an answer that was sent. */
export function AnswerFiles({ sessionId, files }: { sessionId: string; files: readonly AnswerFile[] }) {
  const t = useTranslate();
  return (
    <ul className="files" aria-label={t("files.label")}>
      {files.map((file) => (
        <li key={file.sha256} className="file">
          <FileView sessionId={sessionId} file={file} />
        </li>
      ))}
    </ul>
  );
}
