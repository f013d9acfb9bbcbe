import { vi } from "vitest";

/** Polls until a condition holds; fails after 90 s. */
export const until = async (holds: () => boolean | Promise<boolean>): Promise<void> =>
  void (await vi.waitUntil(holds, { timeout: 90_000, interval: 10 }));
