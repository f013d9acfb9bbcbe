import { AskboxError, toAskboxError } from "@askbox/core/transport";
import type { Channel } from "../channel/channel.ts";
import { closeCodes } from "../protocol/close-codes.ts";
import { refusalSchema, type Welcome, welcomeSchema } from "../protocol/messages.ts";
import { readJsonObject } from "../protocol/read-json.ts";
import { isChallenge, proveLogin, strangeHub } from "./login.ts";
import { type Circumstances, type ClientHello, clientDefaults, helloOf, type WireClientOptions } from "./options.ts";

export interface AttemptEvents {
  /** Called at the hub's welcome. The receiver must set the channel's listeners before it returns, so that no message is missed. */
  made(channel: Channel, welcome: Welcome): void;
  failed(error: AskboxError): void;
}

/** One attempt to reach the hub, from `connect` to its welcome. Returns a function that aborts it; a channel that opens later is closed. */
export function attempt(options: WireClientOptions, circumstances: Circumstances, events: AttemptEvents): () => void {
  const { clock, attemptTimeout = clientDefaults.attemptTimeout } = options;
  let channel: Channel | undefined;
  let over = false;

  const stop = () => {
    over = true;
    cancelTimer();
    channel?.close(closeCodes.done);
  };
  const fail = (error: AskboxError) => {
    if (over) return;
    stop();
    events.failed(error);
  };
  const cancelTimer = clock.setTimer(attemptTimeout, () => fail(unreachable("it did not answer in time")));

  const greet = async () => {
    const opened = await options.connect(circumstances);
    channel = opened;
    if (over) return opened.close(closeCodes.done);
    const hello = await helloOf(options);
    if (over) return;
    opened.onClose(({ reason }) => fail(unreachable(reason || "it closed the connection")));
    const { login, ...rest } = hello;
    let challenged = login === undefined ? undefined : proveLogin(login);
    opened.onMessage((text) => {
      if (over) return;
      if (challenged !== undefined && isChallenge(text)) {
        const answer = challenged.answer(text);
        challenged = undefined;
        answer.then(
          (proof) => over || opened.send(JSON.stringify({ proof })),
          (thrown: unknown) => fail(toAskboxError(thrown)),
        );
        return;
      }
      const welcome = readWelcome(text, hello);
      if (welcome instanceof AskboxError) return fail(welcome);
      if (challenged !== undefined) return fail(strangeHub());
      over = true;
      cancelTimer();
      events.made(opened, welcome);
    });
    opened.send(JSON.stringify({ hello: { ...rest, login: challenged?.hello } }));
  };
  greet().catch((thrown: unknown) => fail(toAskboxError(thrown)));
  return () => {
    if (!over) stop();
  };
}

function readWelcome(text: string, hello: ClientHello): Welcome | AskboxError {
  const message = readJsonObject(text);
  const refusal = refusalSchema.safeParse(message);
  if (refusal.success) return AskboxError.fromJSON(refusal.data.error);
  if (message !== undefined && "bye" in message) return unreachable("it is closing");
  const read = welcomeSchema.safeParse(message);
  if (!read.success) return unreachable("what answers there is no askbox hub");
  const { protocol } = read.data.welcome;
  if (protocol === hello.protocol) return read.data.welcome;
  return new AskboxError("PROTOCOL_MISMATCH", `The hub chose protocol ${protocol} instead of ${hello.protocol}; update askbox.`, {
    details: { protocols: [protocol] },
  });
}

export function unreachable(because: string, cause?: unknown, bye?: string): AskboxError {
  const details = bye === undefined ? undefined : { bye };
  return new AskboxError("HUB_UNREACHABLE", `The hub cannot be reached: ${because}. See "askbox doctor".`, { cause, details });
}
