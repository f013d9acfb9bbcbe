/**
 * How those who use the hub can go on after an error: the ends of its sentences, without a full stop. A program with commands, pages or settings
 * of its own names them here.
 */
export interface HubAdvice {
  /** Where the next login link comes from. Default `get one where you got the last`. */
  login: string;
  /** Where the code for the next machine comes from. Default `get one where you got the last`. */
  invite: string;
  /** To a program whose token the hub does not know. Default `use one that the program around it has given you`. */
  token: string;
  /** To a browser that wants to create a token. Default `send a token with the scope desk`. */
  createToken: string;
  /** Where the tokens are listed. Default `GET /api/tokens lists the existing ones`. */
  tokens: string;
  /** Where the grants are listed. Default `GET /api/grants lists the existing ones`. */
  grants: string;
  /** How the hub accepts another host name. Default `add it to allowedHosts`. */
  hosts: string;
  /** How an older hub makes way for a newer client; begins a sentence. Default `Update the hub`. */
  makeWay: string;
  /** Where people answer if there is no page. Default `answer over the API`. */
  noPage: string;
}

/** For a hub that is part of another program. */
export const embeddedAdvice: HubAdvice = Object.freeze({
  login: "get one where you got the last",
  invite: "get one where you got the last",
  token: "use one that the program around it has given you",
  createToken: "send a token with the scope desk",
  tokens: "GET /api/tokens lists the existing ones",
  grants: "GET /api/grants lists the existing ones",
  hosts: "add it to allowedHosts",
  makeWay: "Update the hub",
  noPage: "answer over the API",
});

/** What is left out, or undefined, has its default. */
export function adviceOf(given: Partial<HubAdvice> = {}): HubAdvice {
  return { ...embeddedAdvice, ...Object.fromEntries(Object.entries(given).filter(([, text]) => text !== undefined)) };
}
