import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from "react";

export type Route = { view: "inbox" } | { view: "session"; id: string };

const listeners = new Set<() => void>();
addEventListener("popstate", () => {
  for (const listener of listeners) listener();
});

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export function routeOf(path: string): Route {
  const [, id] = /^\/s\/([^/]+)$/.exec(path) ?? [];
  return id === undefined ? { view: "inbox" } : { view: "session", id: decodeURIComponent(id) };
}

export const sessionPath = (id: string): string => `/s/${encodeURIComponent(id)}`;

export function useRoute(): Route {
  return routeOf(useSyncExternalStore(subscribe, () => location.pathname));
}

export function navigate(path: string): void {
  if (path === location.pathname) return;
  history.pushState(null, "", path);
  for (const listener of [...listeners]) listener();
}

/** A link within the page; with a modifier key it opens as browsers do. */
export function Link({ href, onClick, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(href);
  };
  return <a href={href} onClick={follow} {...rest} />;
}
