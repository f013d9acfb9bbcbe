/** One picture of a question or an answer: loaded with this browser's login, kept while it is shown, or a sentence that says why it isn't there. */
import type { Clock } from "@askbox/core";
import type { Image } from "@askbox/core/questions";
import { useAskbox } from "@askbox/react";
import { terminalLine } from "@askbox/terminal-text";
import { type CSSProperties, useEffect, useState } from "react";
import { fileBytes, Refused } from "../attach/files-client.ts";
import { useTranslate } from "../i18n/language.tsx";
import { isolated } from "../i18n/phrases.ts";

/** What a picture shows; else its name. */
export const nameOf = ({ alt, name }: Image): string => terminalLine(alt ?? name);

interface PictureProps {
  image: Image;
  loaded: ReturnType<typeof usePicture>;
  style?: CSSProperties;
}

/** A stored picture. Its room is kept until it is there, so that nothing moves under the pointer. */
export function Picture({ image, loaded, style }: PictureProps) {
  const { width, height } = image;
  return (
    <img
      src={loaded.url}
      // Its name would flash in its place.
      alt={loaded.url === undefined ? "" : nameOf(image)}
      width={width}
      height={height}
      style={style}
      draggable={false}
      onError={loaded.fail}
    />
  );
}

/** Says in a picture's place why it isn't shown. */
export function MissingPicture({ image, loaded: { problem = "lost", again } }: PictureProps) {
  const t = useTranslate();
  return (
    <p className="picture-missing">
      {t(`pictures.${problem}`, { name: isolated(terminalLine(image.name)) })}{" "}
      {problem === "lost" && (
        <button type="button" className="link-button" onClick={again}>
          {t("pictures.again")}
        </button>
      )}
    </p>
  );
}

/** Pictures that are shown somewhere, so that the same one is loaded once. */
const held = new Map<string, { users: number; url: Promise<string> }>();

function hold(clock: Clock, sessionId: string, sha256: string) {
  const key = `${sessionId} ${sha256}`;
  const one = held.get(key) ?? { users: 0, url: fileBytes(clock, sessionId, sha256).then((bytes) => URL.createObjectURL(bytes)) };
  held.set(key, one);
  one.users += 1;
  const release = () => {
    one.users -= 1;
    if (one.users > 0) return;
    held.delete(key);
    one.url.then(URL.revokeObjectURL, () => {});
  };
  return { url: one.url, release };
}

/** Why a picture isn't shown: the hub no longer has it, it could not be loaded this time, or it cannot be decoded. */
type PictureProblem = "gone" | "lost" | "broken";

interface LoadedPicture {
  /** Its address within this page, once it is there. */
  url?: string;
  problem?: PictureProblem;
}

/** A stored picture, which only a page with a login can load; none without an id. */
export function usePicture(sessionId: string, sha256: string | undefined) {
  const { clock } = useAskbox();
  const [loaded, setLoaded] = useState<LoadedPicture>({});
  const [tries, setTries] = useState(0);
  // Another try loads it again.
  useEffect(() => {
    if (sha256 === undefined) return;
    let isOver = false;
    const set = (result: LoadedPicture) => {
      if (!isOver) setLoaded(result);
    };
    const { url, release } = hold(clock, sessionId, sha256);
    url.then(
      (url) => set({ url }),
      (error: unknown) => set({ problem: error instanceof Refused && error.status === 404 ? "gone" : "lost" }),
    );
    return () => {
      isOver = true;
      setLoaded({});
      release();
    };
  }, [clock, sessionId, sha256, tries]);
  return { ...loaded, again: () => setTries(tries + 1), fail: () => setLoaded({ problem: "broken" }) };
}
