import type { Conversation } from "@askbox/core/clients";
import { clientTitle } from "@askbox/core/clients";
import { folderName } from "@askbox/inbox";
import { shortDuration } from "@askbox/inbox/text";
import { terminalLine } from "@askbox/terminal-text";
import type { AgentsState } from "../model/ui-state.ts";
import { agentStates } from "../model/words.ts";
import { line, type Row, span, splitLine, wrap } from "../text/row.ts";
import { aroundSelected } from "./grant-rows.ts";

export interface AgentsView {
  agents: AgentsState;
  width: number;
  height: number;
  now: number;
  plain: boolean;
}

/** Agents, those that wait first: two lines each, and the selected one with its last questions and how to resume it. */
export function agentRows({ agents, width, height, now, plain }: AgentsView): Row[] {
  const failure = agents.failure === undefined ? [] : wrap([span(agents.failure, "error")], width);
  const { all, item } = agents;
  const selected = all?.[item];
  if (selected === undefined) {
    const words = all === undefined ? (agents.failure === undefined ? "Loading…" : "") : "No agent has asked yet.";
    return [...failure, ...wrap([span(words, "dim")], width)];
  }
  const room = Math.max(1, height - failure.length);
  const rows = [headRow(selected, now, width, plain ? "current: " : "› "), ...detailRows(selected, width)].slice(0, room);
  return [...failure, ...aroundSelected(all ?? [], item, rows, room, (agent) => [headRow(agent, now, width, "  "), lastRow(agent, width)])];
}

function headRow({ asker, name, state, since, undelivered }: Conversation, now: number, width: number, mark: string): Row {
  const isSelected = mark.trim() !== "";
  const who = terminalLine(name ?? [clientTitle(asker.client.name), asker.agentId].filter((part) => part !== undefined).join(" · "));
  const place = [asker.project === undefined ? undefined : folderName(asker.project), asker.branch].filter((part) => part !== undefined);
  const mail = undelivered === 0 ? [] : [`${undelivered} not delivered`];
  const where = [...place.map(terminalLine), ...mail].map((part) => ` · ${part}`).join("");
  const time = shortDuration(Math.max(0, now - since));
  const left = [span(mark, "accent"), span(who, isSelected ? "selection" : undefined), span(where, "dim")];
  const tone = state === "waiting" ? "accent" : "dim";
  return splitLine(left, [span(`${agentStates[state]} · ${state === "waiting" ? time : `${time} ago`}`, tone)], width);
}

const lastRow = ({ sessions }: Conversation, width: number): Row =>
  line([span(`  ${terminalLine(sessions[0]?.title ?? sessions[0]?.question ?? "")}`, "dim")], width);

function detailRows({ sessions, state, resume }: Conversation, width: number): Row[] {
  const asked = sessions.map(({ title, question, status }) =>
    splitLine(
      [span(`  ${terminalLine(title ?? question)}`)],
      [span(status === "pending" ? "waiting" : status.replace("_", " "), "dim")],
      width,
    ),
  );
  if (state !== "gone" || resume === undefined) return asked;
  return [...asked, ...wrap([span("Resume: ", "dim"), span(terminalLine(resume.command))], width, { first: [span("  ")] })];
}
