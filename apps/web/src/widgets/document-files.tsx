/** The files of a diff: their list, and the heading of each, which stays in view while its lines are read. */
import { changeOf, type DocumentFile } from "@askbox/core/documents";
import { exactText } from "@askbox/terminal-text";
import { type ReactNode, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { Chunk, Chunks } from "./document-chunks.tsx";

export function Counts({ added, removed }: { added: number; removed: number }) {
  return (
    <span className="document-counts">
      {added > 0 && <span data-kind="added">+{added}</span>} {removed > 0 && <span data-kind="removed">−{removed}</span>}
    </span>
  );
}

/** How many files there are, what they change, and how many are viewed. */
export function FilesSummary({ files, viewed }: { files: readonly DocumentFile[]; viewed: number | undefined }) {
  const t = useTranslate();
  return (
    <>
      <span>{t("document.files", { count: files.length })}</span> <Counts {...changeOf(files)} />
      {viewed !== undefined && <span className="quiet"> {t("document.viewed.count", { viewed, count: files.length })}</span>}
    </>
  );
}

interface FileListProps {
  files: readonly DocumentFile[];
  viewed: ReadonlySet<number>;
  /** How many comments are in each file. */
  comments: readonly (readonly unknown[] | undefined)[];
  onGo(at: number): void;
}

const groupSize = 30;

/** Every file; pressing one goes to it. */
export function FileList({ files, viewed, comments, onGo }: FileListProps) {
  const [chunks] = useState(() => new Chunks());
  const groups = Array.from({ length: Math.ceil(files.length / groupSize) }, (_, at) => at * groupSize);
  return groups.map((start) => (
    <Chunk key={start} chunks={chunks} from={start} to={start + groupSize - 1} height={groupSize} isFirst={start === 0}>
      {files.slice(start, start + groupSize).map((file, index) => {
        const at = start + index;
        const { folder, base } = parted(nameOf(file));
        const written = comments[at]?.length ?? 0;
        return (
          <button
            key={at}
            type="button"
            className="document-entry"
            title={nameOf(file)}
            data-viewed={viewed.has(at) || undefined}
            onClick={() => onGo(at)}
          >
            <span className="document-path" dir="ltr">
              <span className="document-folder">{folder}</span>
              <span>{base}</span>
            </span>
            {written > 0 && <span className="document-written">{written}</span>}
            <Counts {...file} />
          </button>
        );
      })}
    </Chunk>
  ));
}

export const nameOf = ({ name, lines: [first] }: DocumentFile): string => exactText(name || (first?.text ?? ""));

function parted(name: string): { folder: string; base: string } {
  const end = name.lastIndexOf("/") + 1;
  return { folder: name.slice(0, end), base: name.slice(end) };
}

interface FileHeadProps {
  file: DocumentFile;
  /** Without it, the file can't be folded. */
  folding?: { isFolded: boolean; isViewed: boolean; fold(): void; view(): void } | undefined;
}

/** Name, change and counts of a file. */
export function FileHead({ file, folding }: FileHeadProps) {
  const t = useTranslate();
  const { was, change } = file;
  const name: ReactNode = (
    <span className="document-path" dir="ltr">
      {was !== undefined && `${exactText(was)} → `}
      {nameOf(file)}
    </span>
  );
  return (
    <div className="document-head">
      {folding === undefined ? (
        name
      ) : (
        <button type="button" className="document-fold" aria-expanded={!folding.isFolded} onClick={folding.fold}>
          <span className="document-chevron" aria-hidden="true" />
          {name}
        </button>
      )}
      {change !== undefined && <span className="document-change">{t(`document.${change}`)}</span>}
      <Counts {...file} />
      {folding !== undefined && (
        <label>
          <input type="checkbox" checked={folding.isViewed} onChange={folding.view} /> {t("document.viewed")}
        </label>
      )}
    </div>
  );
}
