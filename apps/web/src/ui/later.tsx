import { createStore } from "@askbox/react";
import { type ComponentType, type ReactNode, useEffect, useSyncExternalStore } from "react";
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

  async function untilLoaded(): Promise<void> {
    for (;;) {
      try {
        return loaded.setState({ Component: await withWords(load) });
      } catch {
        await new Promise((again) => setTimeout(again, retryAfter));
      }
    }
  }
  function preload(): void {
    if (!isLoading) void untilLoaded();
    isLoading = true;
  }
  function Later({ fallback, ...props }: Props & { fallback?: ReactNode }) {
    const { Component } = useSyncExternalStore(loaded.subscribe, loaded.getState);
    useEffect(preload, []);
    return Component === undefined ? fallback : <Component {...(props as unknown as Props)} />;
  }
  return Object.assign(Later, { preload });
}
