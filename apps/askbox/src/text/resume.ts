import type { RegisteredAgent, SessionView } from "@askbox/core";
import { type Resume, resumeOf } from "@askbox/core/clients";
import { terminalLine } from "@askbox/terminal-text";

/** Whether nobody is there to receive the outcome. */
export function hasLeft({ status, presence, delivery }: SessionView): boolean {
  return presence.asker === "away" && (status === "pending" || delivery.deliveredAt === null);
}

/** How to resume the conversation of an agent that has left: a sentence and the command line, or only the sentence if no command is known. */
export function resumeLines({ asker }: SessionView, registered: RegisteredAgent | undefined): string[] {
  const resume = resumeOf(asker, registered);
  if (resume !== undefined) return [sentences[resume.how], terminalLine(resume.command)];
  return ["The agent has left, and its conversation is unknown. Start it again; asking the same question again returns the answer."];
}

const sentences: Readonly<Record<Resume["how"], string>> = {
  registered: "The agent has left. To resume it, run the command it was registered with:",
  conversation: "The agent has left. To resume the conversation in which it started, which may have been cleared since, run:",
  latest: "The agent has left, and its conversation is unknown. To resume the latest one in its folder, which may be a different one, run:",
};
