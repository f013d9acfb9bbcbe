import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from "react";
import { basePath } from "../base-path.ts";

export type Route =
  | { view: "inbox" | "agents" | "ran" | "numbers" | "settings" }
  | { view: "session"; id: string }
  /** With an id, one settled session is open next to the list. */
  | { view: "history"; id: string | undefined };

const listeners = new Set<() => void>();
addEventListener("popstate", () => {
  for (const listener of listeners) listener();
});

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

function routeOf(path: string): Route {
  const [, page, rest] = /^\/(s|history|agents|ran|numbers|settings)(?:\/([^/]+))?\/?$/.exec(path) ?? [];
  const id = readId(rest);
  if (page === "s" && id !== undefined) return { view: "session", id };
  if (page === "history") return { view: "history", id };
  if ((page === "agents" || page === "ran" || page === "numbers" || page === "settings") && id === undefined) return { view: page };
  return { view: "inbox" };
}

function readId(part: string | undefined): string | undefined {
  try {
    return part === undefined ? undefined : decodeURIComponent(part);
  } catch {
    // A link that was cut in the middle of an escape sequence.
    return undefined;
  }
}

export const sessionPath = (id: string): string => `/s/${encodeURIComponent(id)}`;
export const historyPath = (id: string): string => `/history/${encodeURIComponent(id)}`;

/** The page's path, relative to where its hub is mounted. */
const here = () => location.pathname.slice(basePath.length);

export function useRoute(): Route {
  return routeOf(useSyncExternalStore(subscribe, here));
}

let passing = false;

/** Whether the page was opened on the way along a list, with the keys for that, rather than to type in it. */
export const isPassing = (): boolean => passing;

export function navigate(path: string, { passes = false } = {}): void {
  if (path === here()) return;
  passing = passes;
  history.pushState(null, "", basePath + path);
  for (const listener of [...listeners]) listener();
}

/** A link within the page; with a modifier key, the browser opens it as usual. */
export function Link({ href, onClick, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(href);
  };
  return <a href={basePath + href} onClick={follow} {...rest} />;
}
