import { useSyncExternalStore } from "react";

const subscribe = (listener: () => void) => {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
};

/** Whether the page is in the foreground, so that a person can see what it shows. */
export const useInForeground = (): boolean => useSyncExternalStore(subscribe, () => document.visibilityState !== "hidden");
