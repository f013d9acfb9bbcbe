import type { Clock } from "@askbox/core";
import { createStore } from "@askbox/inbox";
import { AskboxContext } from "@askbox/react";
import { type ComponentType, type ReactNode, useContext, useEffect, useSyncExternalStore } from "react";
import { withWords } from "../i18n/translate.ts";

/** Milliseconds until code that could not be loaded is requested again. */
const retryAfter = 2_000;

/**
 * A component whose code is loaded when it is first shown, or earlier with `preload`. The hub may be away then, so loading is retried.
 *
 * React's `lazy` isn't used, since `Suspense` keeps showing its fallback for 300 ms, however soon the code arrives.
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const loaded = createStore<{ Component?: ComponentType<Props> }>({});
  let isLoading = false;

  async function untilLoaded(clock: Clock): Promise<void> {
    for (;;) {
      try {
        return loaded.setState({ Component: await withWords(load) });
      } catch {
        await new Promise<void>((again) => clock.setTimer(retryAfter, again));
      }
    }
  }
  function preload(clock: Clock): void {
    if (!isLoading) void untilLoaded(clock);
    isLoading = true;
  }
  function Later({ fallback, ...props }: Props & { fallback?: ReactNode }) {
    const { Component } = useSyncExternalStore(loaded.subscribe, loaded.getState);
    const clock = useContext(AskboxContext)?.clock;
    // The gate of a page without an inbox is preloaded.
    useEffect(() => clock && preload(clock), [clock]);
    return Component === undefined ? fallback : <Component {...(props as unknown as Props)} />;
  }
  return Object.assign(Later, { preload });
}
