import type { Conversation } from "@askbox/core/clients";
import type { KeyPress } from "../editor/editor.ts";
import { open } from "./navigate.ts";
import { startEditing } from "./text-fields.ts";
import type { Turn } from "./turn.ts";

const agentActions = ["up", "down", "pageUp", "pageDown", "first", "last", "askBack", "copy", "open", "agents", "back", "quit"] as const;

export function showAgents(turn: Turn): void {
  turn.set({ overlay: { kind: "agents" }, agents: { all: undefined, item: 0, failure: undefined } });
  turn.do({ kind: "readAgents" });
}

/** Keys while the agents are shown. */
export function agentKey(turn: Turn, { name }: KeyPress): void {
  const { all = [], item } = turn.ui.agents;
  const agent = all[item];
  const page = Math.max(1, turn.seen.viewport.listEntries - 1);
  const action = turn.seen.keymap.find(name, agentActions);
  switch (action) {
    case undefined:
      return;
    case "agents":
    case "back":
    case "quit":
      return turn.set({ overlay: undefined });
    case "askBack":
      if (agent?.takesMessages === false) return turn.say("It only asks for permissions, and reads no messages.");
      return agent && startEditing(turn, { kind: "toAgent", id: agent.id });
    case "copy":
      return agent?.resume && turn.do({ kind: "copy", text: agent.resume.command });
    case "open": {
      const asked = agent?.sessions.find(({ status }) => status === "pending");
      if (asked === undefined) return turn.say("It has no open question.");
      turn.set({ overlay: undefined, view: "inbox" });
      return open(turn, asked.id, "form");
    }
    default: {
      const by = { up: -1, down: 1, pageUp: -page, pageDown: page, first: Number.NEGATIVE_INFINITY, last: Number.POSITIVE_INFINITY };
      moveTo(turn, item + by[action]);
    }
  }
}

/** Enter in the message to an agent. An empty message is not sent. */
export function sendToAgent(turn: Turn, id: string, text: string): void {
  turn.set({ overlay: { kind: "agents" } });
  if (text.trim() === "") return;
  turn.set({ unsent: { ...turn.ui.unsent, [id]: "" } });
  turn.do({ kind: "messageAgent", id, text });
}

/** The hub has sent the conversations. */
export function agentsRead(turn: Turn, all: readonly Conversation[]): void {
  const { agents } = turn.ui;
  const selected = agents.all?.[agents.item]?.id;
  const at = all.findIndex(({ id }) => id === selected);
  turn.set({ agents: { all, item: at < 0 ? agents.item : at, failure: undefined } });
  moveTo(turn, turn.ui.agents.item);
}

export function agentsRefused(turn: Turn, failure: string): void {
  turn.set({ agents: { ...turn.ui.agents, failure } });
}

function moveTo(turn: Turn, item: number): void {
  const { agents } = turn.ui;
  const last = Math.max(0, (agents.all ?? []).length - 1);
  turn.set({ agents: { ...agents, item: Math.min(last, Math.max(0, item)) } });
}
