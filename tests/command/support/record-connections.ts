import { appendFileSync } from "node:fs";
import { Socket } from "node:net";

/** Loaded before a program by `node --import`: notes where it connects to, a line each, in the file that RECORD_CONNECTIONS names. */
const file = process.env["RECORD_CONNECTIONS"] ?? "";
const connect = Socket.prototype.connect;
Socket.prototype.connect = function (this: Socket, ...args: never[]) {
  const [first] = args as unknown as [{ host?: string; path?: string } | [{ host?: string; path?: string }]];
  const { host, path } = Array.isArray(first) ? first[0] : first;
  appendFileSync(file, `${path ?? host ?? "localhost"}\n`);
  return Reflect.apply(connect, this, args) as Socket;
};
