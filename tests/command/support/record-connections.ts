import { appendFileSync } from "node:fs";
import { Socket } from "node:net";

/** Loaded before a program with `node --import`: records its connections, one per line, in the file named by RECORD_CONNECTIONS. */
const file = process.env["RECORD_CONNECTIONS"] ?? "";
const connect = Socket.prototype.connect;
Socket.prototype.connect = function (this: Socket, ...args: never[]) {
  const [first] = args as unknown as [{ host?: string; path?: string } | [{ host?: string; path?: string }]];
  const { host, path } = Array.isArray(first) ? first[0] : first;
  appendFileSync(file, `${path ?? host ?? "localhost"}\n`);
  return Reflect.apply(connect, this, args) as Socket;
};
