import { AskboxError } from "@askbox/core/transport";
import { loginProofText } from "../protocol/login-proof.ts";
import { challengeSchema, type LoginHello } from "../protocol/messages.ts";
import { readJsonObject } from "../protocol/read-json.ts";
import type { BrowserLogin } from "./options.ts";

export const isChallenge = (text: string): boolean => challengeSchema.safeParse(readJsonObject(text)).success;

/** One login handshake: what the hello contains, and the reply to the hub once it has proved itself. */
export function proveLogin(login: BrowserLogin): { hello: LoginHello; answer(text: string): Promise<string> } {
  const { id, origin, hub } = login;
  const pageNonce = login.nonce();
  return {
    hello: { id, origin, nonce: pageNonce },
    /** Throws `HUB_UNREACHABLE` if the server is not the right hub, since that may come back. */
    async answer(text) {
      const { challenge } = challengeSchema.parse(readJsonObject(text));
      const parts = { hub, origin, id, pageNonce, hubNonce: challenge.nonce };
      const expected = await login.mac(loginProofText("hub", parts));
      if (challenge.hub !== hub || challenge.proof !== expected) throw strangeHub();
      return login.mac(loginProofText("page", parts));
    },
  };
}

export const strangeHub = (): AskboxError =>
  new AskboxError("HUB_UNREACHABLE", "The server at this address is not the hub that this browser logged in to; nothing was sent to it.");
