import { smallFetch } from "../../src/http.ts";
import { openSocket } from "../../src/socket.ts";

/** A process of its own, since Node reads what it trusts, and where its proxy is, when it starts. `argv`: where it is asked, and where its sockets are. */
const [, , api = "", sockets = ""] = process.argv;
const code = (error: unknown) => (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).message;

const fetched = await smallFetch(`https://${api}/`, { method: "POST", body: "Ä" }).then((response) => response.text(), code);
const heard = Promise.withResolvers<string>();
const events = { onText: heard.resolve, onSign() {}, onClose: () => heard.reject(new Error("closed")) };
const socket = await openSocket(`wss://${sockets}/`, events).catch((error) => void heard.resolve(code(error)));
socket?.send("Ö");
const said = await heard.promise;
socket?.end();
console.log(JSON.stringify({ fetched, said }));
