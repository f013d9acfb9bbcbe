const preload = new URL("other-clock-preload.ts", import.meta.url).href;

/**
 * The environment of a process, such as the built hub, whose time of day is `ahead` ms ahead and whose timers are `factor` times as fast, so that a
 * test need not wait for it. The product knows nothing of it: Node loads what changes the clock.
 */
export const otherClock = ({ ahead = 0, factor = 1 }: { ahead?: number; factor?: number }): Record<string, string> => ({
  NODE_OPTIONS: `--import=${preload}`,
  TEST_CLOCK: JSON.stringify({ ahead, factor }),
});
