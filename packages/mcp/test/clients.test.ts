import { describe, expect, test } from "vitest";
import { callLimit, fallbackAdvice, knownClients } from "../src/clients.ts";

describe("the table of clients", () => {
  test("a ticket is always given before the client's own limit", () => {
    for (const { name, ticketAfter, cap } of knownClients) {
      if (cap !== null) expect(ticketAfter, name).toBeLessThan(cap);
    }
  });

  test("an unknown client gets a ticket after 50 s, and after 110 s where it wants progress and has given up no call", () => {
    expect(callLimit("nobody-knows", { progress: false }).ticketAfter).toBe(50_000);
    expect(callLimit("nobody-knows", { progress: true }).ticketAfter).toBe(110_000);
    expect(callLimit("nobody-knows", { progress: true, gaveUp: true }).ticketAfter).toBe(50_000);
  });

  test("VS Code, which has no limit, needs no ticket while it is told of progress", () => {
    expect(callLimit("Visual Studio Code", { progress: true })).toEqual({ ticketAfter: null, cap: null });
    expect(callLimit("Visual Studio Code", { progress: false }).ticketAfter).toBe(50_000);
  });

  test("a client that waits for progress alone is unknown when it wants none", () => {
    expect(callLimit("opencode", { progress: true })).toEqual({ ticketAfter: null, cap: null });
    expect(callLimit("opencode", { progress: false })).toEqual(callLimit("nobody-knows", { progress: false }));
  });

  test("max-wait stands above the table, and 0 is no limit", () => {
    expect(callLimit("claude-code", { maxWait: 600_000, progress: true })).toEqual({ ticketAfter: 600_000, cap: null });
    expect(callLimit("codex-mcp-client", { maxWait: 0, progress: true })).toEqual({ ticketAfter: null, cap: null });
  });

  test("a longer name of a known client is known; another that only begins alike is not", () => {
    expect(fallbackAdvice("Visual Studio Code - Insiders", "tool")).toContain("vscode_askQuestions");
    expect(fallbackAdvice("opencoder", "tool")).toBe("use your own question tool, or ask in the chat");
  });
});
