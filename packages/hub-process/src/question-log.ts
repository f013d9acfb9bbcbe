import type { DeskEvent, Log, SessionView } from "@askbox/core";

/** Logs where each new question can be answered, never its text. */
export function questionLog(log: Log, { hasPage }: { hasPage: boolean }): (event: DeskEvent) => void {
  const known = new Set<string>();
  const page = hasPage ? ", or in a browser with `askbox open`" : "";
  const onEvent = ({ id, status, asker, questions }: SessionView) => {
    if (status !== "pending") return void known.delete(id);
    if (known.has(id)) return;
    known.add(id);
    const { client, project } = asker;
    log("info", `New question: answer with \`askbox answer ${id.slice(0, 8)}\`${page}`, {
      sessionId: id,
      client: client.name,
      project,
      questions: questions.length,
    });
  };
  return (event) => {
    // Questions that were pending at the start were logged by an earlier hub.
    if (event.type === "snapshot") for (const { id } of event.sessions) known.add(id);
    else if (event.type === "session") onEvent(event.session);
    else if (event.type === "removed") known.delete(event.sessionId);
  };
}
