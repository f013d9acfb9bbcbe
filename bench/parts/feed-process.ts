import { createClient } from "@redis/client";

/** The floor: a process that listens to one channel of a Redis and says the same on another. */
const socket = { host: "127.0.0.1", port: Number(process.argv[2]) };
const [listening, speaking] = [createClient({ socket }), createClient({ socket })];
await Promise.all([listening.connect(), speaking.connect()]);
await listening.subscribe("there", (message) => void speaking.publish("back", message));
process.on("disconnect", () => process.exit());
process.send?.("listening");
