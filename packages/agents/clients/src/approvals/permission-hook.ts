import { denial, type PermissionDecision } from "@askbox/approvals";

/** The client's timeout of the hook, in seconds. A person may extend an approval beyond its own timeout. */
export const hookTimeout = 86_400;

/** The output of a `PermissionRequest` hook. Codex ignores a decision with a field that it doesn't know. */
export const hookOutput = (decision: PermissionDecision, allowed: { updatedInput?: Record<string, unknown> } = {}): object => ({
  hookSpecificOutput: {
    hookEventName: "PermissionRequest",
    decision: decision.kind === "deny" ? { behavior: "deny", message: denial(decision.reason) } : { behavior: "allow", ...allowed },
  },
});

/** What such a hook prints if its request can't reach a person. */
export const unreachedOutput = (why: string): object => ({ systemMessage: `askbox: ${why} This request is not in the inbox.` });
