import type { RegisteredAgent, SessionView } from "@askbox/core";
import { knownClient, knownClients } from "@askbox/core/clients";
import { terminalLine } from "@askbox/terminal-text";
import { shellWord } from "./shell-word.ts";

/** These clients pass the conversation id to every process they start, so the asker may be another client. */
const byId = knownClients.find(({ resume }) => resume?.byId !== undefined)?.resume?.byId;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether nobody is there to receive the outcome. */
export function hasLeft({ status, presence, delivery }: SessionView): boolean {
  return presence.asker === "away" && (status === "pending" || delivery.deliveredAt === null);
}

/**
 * How to resume the conversation of an agent that has left: a sentence and the command line, or only the sentence if no command is known.
 * Values from the agent itself only appear in the command as a quoted folder or an id of a known form.
 */
export function resumeLines({ asker }: SessionView, registered: RegisteredAgent | undefined): string[] {
  if (registered?.resume !== undefined)
    return ["The agent has left. To resume it, run the command it was registered with:", terminalLine(registered.resume)];
  const { client, project, conversation } = asker;
  const folder = project === undefined ? undefined : shellWord(project);
  const inFolder = (line: string) => (folder === undefined ? line : `cd ${folder} && ${line}`);
  const resume =
    knownClients.find(({ hook }) => hook?.client === client.name)?.hook?.resume ?? knownClient(client.name)?.resume?.byId ?? byId;
  if (resume !== undefined && conversation !== undefined && uuid.test(conversation)) {
    return [
      "The agent has left. To resume the conversation in which it started, which may have been cleared since, run:",
      inFolder(`${resume} ${conversation}`),
    ];
  }
  const line = knownClient(client.name)?.resume?.latest;
  if (line === undefined || folder === undefined) {
    return ["The agent has left, and its conversation is unknown. Start it again; asking the same question again returns the answer."];
  }
  return [
    "The agent has left, and its conversation is unknown. To resume the latest one in its folder, which may be a different one, run:",
    inFolder(line),
  ];
}
