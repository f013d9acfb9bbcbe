import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

// An agent in raw JSON lines, which can also send wrong things. A prompt says what it does; all that it receives goes to TOY_LOG as it came.
const log = process.env["TOY_LOG"];
let lastId = -1;
let prompt;
const waiting = new Map();
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const update = (update, sessionId = "ses_1") => send({ method: "session/update", params: { sessionId, update } });
const say = (text) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
const ask = (method, params, id = ++lastId) =>
  new Promise((resolve) => {
    waiting.set(JSON.stringify(id), resolve);
    send({ id, method, params });
  });
const options = [
  { optionId: "always", name: "Always allow every echo", kind: "allow_always" },
  { optionId: "once", name: "Allow once", kind: "allow_once" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
  { optionId: "never", name: "Never again", kind: "reject_always" },
];
const permit = (command, call = command) =>
  ask("session/request_permission", {
    sessionId: "ses_1",
    toolCall: { toolCallId: call, title: command, kind: "execute", rawInput: { command } },
    options,
  });
const done = (stopReason = "end_turn", of = prompt) => {
  // A turn that was cancelled has ended already.
  if (of === undefined || of !== prompt) return;
  send({ id: prompt, result: { stopReason } });
  prompt = undefined;
};

const acts = {
  hello: async () => say("Hello."),
  run: async (...words) => {
    const { result } = await permit(words.join(" "));
    say(JSON.stringify(result.outcome));
  },
  edit: async () => {
    update({
      sessionUpdate: "tool_call",
      toolCallId: "e1",
      title: "Edit a.ts",
      kind: "edit",
      rawInput: { file: "/p/a.ts" },
      content: [{ type: "diff", path: "/p/a.ts", oldText: "x\n", newText: "y\n" }],
    });
    const { result } = await ask("session/request_permission", { sessionId: "ses_1", toolCall: { toolCallId: "e1" }, options });
    say(JSON.stringify(result.outcome));
  },
  // As version 2 of the protocol words it.
  draft: async () => {
    const subject = { type: "command", command: "make", cwd: "/x" };
    const { result } = await ask("session/request_permission", { sessionId: "ses_1", title: "Build", description: "To see it", subject, options });
    say(JSON.stringify(result.outcome));
  },
  form: async () => {
    const { result, error } = await ask("elicitation/create", {
      sessionId: "ses_1",
      mode: "form",
      message: "Which database?",
      requestedSchema: { type: "object", properties: { db: { type: "string", enum: ["pg", "sqlite"] } }, required: ["db"] },
    });
    say(JSON.stringify(result ?? error));
  },
  many: async (count) => {
    for (let at = 0; at < Number(count); at += 1) await permit(`echo ${at}`, `call ${at}`);
    say(`asked ${count}`);
  },
  flood: async (count) => {
    const text = "x".repeat(1_000);
    for (let at = 0; at < Number(count); at += 1) {
      const isTaken = process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "ses_1", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } } })}\n`);
      if (!isTaken) await new Promise((resolve) => process.stdout.once("drain", resolve));
    }
  },
  env: async (name) => say(name === undefined ? JSON.stringify(process.env) : String(process.env[name])),
  exit: async (code) => process.exit(Number(code)),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  if (log) appendFileSync(log, `${line}\n`);
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return;
  }
  const { id, method, params } = message;
  if (method === undefined) {
    waiting.get(JSON.stringify(id))?.(message);
    waiting.delete(JSON.stringify(id));
    return;
  }
  switch (method) {
    case "initialize":
      return send({ id, result: { protocolVersion: 1, agentInfo: { name: "toy-agent", title: "Toy", version: "1" }, agentCapabilities: { loadSession: true, promptCapabilities: { image: process.env["TOY_BLIND"] === undefined }, ...(process.env["TOY_RESUME"] && { sessionCapabilities: { resume: {} } }) } } });
    case "session/new":
      return send({ id, result: { sessionId: "ses_1", modes: { currentModeId: process.env["TOY_MODE"] ?? "ask", availableModes: [] } } });
    case "session/resume":
      return send(params.sessionId === "ses_1" ? { id, result: {} } : { id, error: { code: -32602, message: "There is no such session." } });
    case "session/load":
      say("An old answer.");
      return send({ id, result: {} });
    case "session/set_mode":
      return send({ id, result: {} });
    case "session/prompt": {
      prompt = id;
      const [act = "", ...words] = params.prompt[0].text.split(" ");
      // Any other prompt is repeated.
      const pictures = params.prompt.filter(({ type }) => type === "image").map(({ mimeType, data }) => `${mimeType} ${Buffer.from(data, "base64").length > 100}`);
      if (pictures.length > 0) say(`Saw ${pictures.join()}. `);
      const acting = Object.hasOwn(acts, act) ? acts[act](...words) : Promise.resolve(say(`Told: ${params.prompt[0].text}`));
      return void acting.then(() => done("end_turn", id));
    }
    case "session/cancel":
      return done("cancelled");
    default:
      if (id !== undefined) send({ id, error: { code: -32601, message: "unknown" } });
  }
}).on("close", () => process.exit(0));
