import type { HubAdvice } from "@askbox/hub";

/** How those who use askbox itself can go on after an error. */
export const commandAdvice: HubAdvice = {
  login: "run `askbox open` for a new one",
  invite: "run `askbox invite` for a new one",
  token: "read it again from hub.json or desk.json, or log the browser in with `askbox open`",
  createToken: "run `askbox token create` on the hub's machine",
  tokens: "`askbox token list` lists the existing ones",
  grants: "`askbox grants list` lists the existing ones",
  hosts: "add it to hosts in config.json",
  makeWay: 'Stop the older hub with "askbox hub stop"',
  noPage: "use `askbox` or `askbox answer` in a terminal",
};
