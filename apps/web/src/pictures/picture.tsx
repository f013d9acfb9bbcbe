import type { Image } from "@askbox/core/questions";
import { terminalLine } from "@askbox/terminal-text";
import type { CSSProperties } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { isolated } from "../i18n/phrases.ts";
import type { usePicture } from "./use-picture.ts";

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
