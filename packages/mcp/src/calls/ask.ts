import { AskboxError, type AskRequest, parseAsk } from "@askbox/core";
import type { Dialect } from "../dialects/dialect.ts";
import { type Call, namedAsker, type Reply, timeLeft } from "./call.ts";
import { failure } from "./failure.ts";
import { otherOutcomes, reply } from "./reply.ts";
import { inTime, waitFor } from "./wait.ts";

/** A call of an asking tool: opens a session, and waits for its outcome for as long as the client allows. */
export async function ask(call: Call, dialect: Dialect, args: unknown): Promise<Reply> {
  const { platform, defaultTimeout } = call.server;
  let sessionId: string | undefined;
  try {
    const request: AskRequest = parseAsk(dialect.input(args), { ids: platform.ids, defaultTimeout });
    const asker = await namedAsker(call);
    const opened = await inTime(call, asker.port.open(request, { asker: asker.info }));
    if (opened === undefined)
      throw new AskboxError("HUB_UNREACHABLE", "The hub did not take the questions in time; see `askbox hub status`.");
    sessionId = opened.session.id;
    sayWhereToAnswer(call, sessionId);
    const session = opened.late ? opened.session : await waitFor(call, asker, sessionId, timeLeft(call));
    const earlier = await otherOutcomes(call, asker, sessionId);
    return reply(call, asker, { sessionId, session, late: opened.late, earlier }, dialect.output);
  } catch (error) {
    return failure(call, error, sessionId);
  }
}

function sayWhereToAnswer(call: Call, sessionId: string): void {
  call.heartbeat.say(`Waiting for an answer. To give it, run: askbox answer ${sessionId.slice(0, 8)}`);
  call.server.log("info", "Waiting for an answer; askbox list shows it, askbox answer settles it", { sessionId, callId: call.id });
}
