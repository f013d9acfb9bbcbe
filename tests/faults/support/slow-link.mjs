// A ProxyCommand of ssh: a connection whose every piece takes this many ms, in each direction.
import { connect } from "node:net";

const [host, port, delay] = process.argv.slice(2);
const socket = connect({ host, port: Number(port), noDelay: true });
const later = (from, to) => {
  from.on("data", (piece) => setTimeout(() => to.write(piece), Number(delay)));
  from.on("end", () => setTimeout(() => to.end(), Number(delay)));
};
later(process.stdin, socket);
later(socket, process.stdout);
socket.on("close", () => setTimeout(() => process.exit(), Number(delay)));
socket.on("error", () => process.exit(1));
