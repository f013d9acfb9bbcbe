import type { JsonObject } from "./messages.ts";

/** The inbox, as the pass-through sees it. */

/** What an agent asks. */
export interface AcpAsk {
  kind: "permission" | "form";
  /** The request's name, unique in this process. */
  key: string;
  session: string;
  /** The agent, as it introduced itself. */
  agent: { name: string; title?: string | undefined };
  cwd: string | undefined;
  /** The request, and the earlier lines about the same tool call, as the agent sent them. */
  request: Buffer;
  calls: readonly Buffer[];
}

/** What a person decided: a permission, with the option if it is one of the agent's own; or the result of a form. */
export type InboxDecision = (
  | { kind: "permission"; isAllowed: boolean; reason?: string | undefined; optionId?: string | undefined }
  | { kind: "form"; result: JsonObject }
) & { attached?: Attached | undefined };

/** Files that a person sent with it. */
export interface Attached {
  names: readonly string[];
  /** The first of them that can be shown, made small enough for an agent. */
  pictures(): Promise<{ mimeType: string; data: string }[]>;
}

/** What a person decided in the editor. */
export interface EditorDecision {
  by: string;
  /** `allow`, `deny` or one of the agent's own options; undefined if the prompt was closed without a decision. */
  value?: string | undefined;
  comment?: string | undefined;
}

/** An ask on its way through the inbox. */
export interface Asking {
  /** Resolves once: with the decision that stands, or undefined if there is none. */
  decided: Promise<InboxDecision | undefined>;
  /** Whether a hub has it. */
  isHeld(): boolean;
  /** Takes it back, with the editor's decision. If the inbox decided first, that still stands, and `decided` resolves with it. */
  end(reason: string, decision?: EditorDecision): void;
  /** Takes it back, and ignores any decision. Resolves when the hub knows. `isOverruled`: somebody may have decided in the inbox. */
  drop(reason: string, how?: { isOverruled?: boolean }): Promise<void>;
}

export interface AcpInbox {
  /** `onAway` is called each time that no hub can be reached, and once if the hub refuses the request. */
  ask(ask: AcpAsk, onAway: (why: string, isRefused?: boolean) => void): Asking;
}
