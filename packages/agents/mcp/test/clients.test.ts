import { describe, expect, test } from "vitest";
import { callLimit, fallbackAdvice, knownClients } from "../src/index.ts";

describe("the table of clients", () => {
  test("a ticket is always given before the client's own limit", () => {
    for (const { name, ticketAfter, cap } of knownClients) {
      if (cap !== null) expect(ticketAfter, name).toBeLessThan(cap);
    }
  });

  test("an unknown client gets a ticket after 50 s, and after 110 s if it wants progress and has cancelled no call", () => {
    expect(callLimit("nobody-knows", { progress: false }).ticketAfter).toBe(50_000);
    expect(callLimit("nobody-knows", { progress: true }).ticketAfter).toBe(110_000);
    expect(callLimit("nobody-knows", { progress: true, gaveUp: true }).ticketAfter).toBe(50_000);
  });

  test("VS Code, which has no limit, needs no ticket while it receives progress", () => {
    expect(callLimit("Visual Studio Code", { progress: true })).toEqual({ ticketAfter: null, cap: null });
    expect(callLimit("Visual Studio Code", { progress: false }).ticketAfter).toBe(50_000);
  });

  test("a client that only waits with progress counts as unknown if it requests none", () => {
    expect(callLimit("opencode", { progress: true })).toEqual({ ticketAfter: null, cap: null });
    expect(callLimit("opencode", { progress: false })).toEqual(callLimit("nobody-knows", { progress: false }));
  });

  test("max-wait overrides the table, and 0 is no limit", () => {
    expect(callLimit("claude-code", { maxWait: 600_000, progress: true })).toEqual({ ticketAfter: 600_000, cap: null });
    expect(callLimit("codex-mcp-client", { maxWait: 0, progress: true })).toEqual({ ticketAfter: null, cap: null });
  });

  test("a longer name of a known client is known; another with the same beginning is not", () => {
    expect(fallbackAdvice("Visual Studio Code - Insiders", "tool")).toContain("vscode_askQuestions");
    expect(fallbackAdvice("opencoder", "tool")).toBe("use your own question tool, or ask in the chat");
  });
});
