/** What a browser tells about its window. */
import { useCallback, useSyncExternalStore } from "react";

/** Whether the page matches a media query, updated on changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

const subscribe = (listener: () => void) => {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
};

/** Whether the page is in the foreground, so that a person can see what it shows. */
export const useInForeground = (): boolean => useSyncExternalStore(subscribe, () => document.visibilityState !== "hidden");
