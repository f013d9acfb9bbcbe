import type { Clock } from "@askbox/core";
import { useAskbox } from "@askbox/react";
import { useEffect, useState } from "react";
import { fileBytes, Refused } from "../attach/files-client.ts";

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
