import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";

/** The floor: a process that sends back whatever a WebSocket brings it. */
const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
server.on("connection", (socket) => socket.on("message", (data) => socket.send(data, { binary: false })));
server.on("listening", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());
