import { connectHub } from "@askbox/home";
import { runTui } from "@askbox/tui";

// The terminal inbox in a separate process, as the command runs it: argv[2] contains its options as JSON.
const { settings, project, once, sessionId, picture } = JSON.parse(process.argv[2] ?? "{}");
const connect = async () => {
  const connection = await connectHub({
    role: "desk",
    surface: "terminal",
    name: process.env["ASKBOX_NAME"] ?? "ada",
    agent: { name: "askbox", version: "0.0.0" },
    env: process.env,
  });
  // The base64 of a PNG.
  return picture === undefined ? connection : Object.assign(connection, { picture: async () => Buffer.from(picture, "base64") });
};
const code = await runTui({ connect, settings: { undoDelay: 0, ...settings }, project, once, sessionId });
process.exit(code);
