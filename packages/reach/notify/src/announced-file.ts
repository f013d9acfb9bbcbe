import { stateFile } from "./queue/state-file.ts";
import type { WarnOnce } from "./warn-once.ts";

/** What was announced, by channel, so that a restarted hub neither repeats an announcement nor skips one. */
export interface AnnouncedFile {
  /** Whether it outlives this process. */
  isKept: boolean;
  /** What this channel has announced: changes are stored by `save`. */
  of(channel: string): Set<string>;
  save(): void;
  written(): Promise<void>;
}

/** The channel of a file that holds no more than a list, as earlier versions wrote it. */
export const localChannelKey = "local";

/** Reads the file; without a path, nothing is stored. */
export async function announcedFile(path: string | undefined, warnOnce: WarnOnce): Promise<AnnouncedFile> {
  const file = stateFile(
    path,
    {
      unreadable: "The announced questions could not be read; some may be announced again.",
      unsaved: "The announced questions could not be saved; after a restart they may be announced again.",
    },
    warnOnce,
  );
  const stored = await file.load();
  const byChannel = Array.isArray(stored) ? { [localChannelKey]: stored } : typeof stored === "object" && stored !== null ? stored : {};
  const channels = new Map<string, Set<string>>();
  return {
    isKept: path !== undefined,
    of(channel) {
      const news: unknown = Object.hasOwn(byChannel, channel) ? byChannel[channel as keyof typeof byChannel] : undefined;
      const announced = channels.get(channel) ?? new Set(Array.isArray(news) ? news.filter((id) => typeof id === "string") : []);
      channels.set(channel, announced);
      return announced;
    },
    save: () => file.save(() => Object.fromEntries([...channels].map(([channel, news]) => [channel, [...news]]))),
    written: () => file.written(),
  };
}
