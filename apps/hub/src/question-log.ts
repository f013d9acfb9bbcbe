import type { DeskEvent, Log, SessionView } from "@askbox/core";

/** Writes into the log where each new question can be answered; never what it asks. */
export function questionLog(log: Log, { hasPage }: { hasPage: boolean }): (event: DeskEvent) => void {
  const known = new Set<string>();
  const page = hasPage ? ", or in a browser with `askbox open`" : "";
  const onEvent = ({ id, status, asker, questions }: SessionView) => {
    if (status !== "pending") return void known.delete(id);
    if (known.has(id)) return;
    known.add(id);
    const { client, project } = asker;
    log("info", `A question waits: answer with \`askbox answer ${id.slice(0, 8)}\`${page}`, {
      sessionId: id,
      client: client.name,
      ...(project !== undefined && { project }),
      questions: questions.length,
    });
  };
  return (event) => {
    // What is pending when the hub starts was logged by the one that it came to.
    if (event.type === "snapshot") for (const { id } of event.sessions) known.add(id);
    else if (event.type === "session") onEvent(event.session);
    else if (event.type === "removed") known.delete(event.sessionId);
  };
}
