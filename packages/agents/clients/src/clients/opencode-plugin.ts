/**
 * The plugin that forwards OpenCode's permission requests to the inbox, and wakes a conversation whose question was answered after its call had
 * ended. It runs inside OpenCode's server, so it works in the terminal and with `serve`. `line`: runs `askbox hook opencode` in a shell.
 */
export const opencodePlugin = (line: string): string => `${head}
const line = ${JSON.stringify(line)};
${body}`;

const head = `// Written by \`askbox install opencode --approvals\`; \`askbox uninstall opencode\` removes it.
import { spawn } from "node:child_process";
`;

const body = `// The shell becomes the hook, so that ending it ends the hook. By its path: the project may have an env of its own on the PATH.
const command = process.platform === "win32" ? line : "exec /usr/bin/env " + line;
/** Characters of the hook's output. */
const maxAnswer = 1_000_000;

export const AskboxApprovals = async ({ client, directory }) => {
  /** The requests that nobody has decided, by id. */
  const waiting = new Map();

  /** The tickets that a conversation holds, by its id, and what waits at the hub for their outcomes. */
  const holders = new Map();

  /** A tool of askbox's returned: with a ticket, its question is still open. */
  async function returned({ sessionID, tool, state: { output = "" } }) {
    const [, ticket] = /sessionId[^0-9a-z]{1,6}([0-9a-z]{20,40})/.exec(output) ?? [];
    if (!tool.startsWith("askbox_") || ticket === undefined) return;
    const root = await rootOf(sessionID);
    const holder = holders.get(root) ?? { tickets: new Set(), child: undefined };
    if (!/"pending":true|Pending: /.test(output)) return void holder.tickets.delete(ticket);
    if (holder.tickets.has(ticket)) return;
    holders.set(root, holder);
    holder.tickets.add(ticket);
    listen(root, holder);
  }

  /** Waits at the hub for an outcome, in place of an earlier wait. The hook has the outcome count as delivered once it reads a line. */
  function listen(root, holder) {
    holder.child?.kill();
    if (holder.tickets.size === 0) return void holders.delete(root);
    const child = spawn(command + " --wake", { cwd: directory, shell: true, stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
    holder.child = child;
    let output = "";
    let isGiven = false;
    child.stdout.setEncoding("utf8").on("data", async (text) => {
      output += text;
      if (output.length > maxAnswer) child.kill();
      if (isGiven || !output.includes("\\n")) return;
      isGiven = true;
      const news = newsIn(output);
      if (news === undefined) return void child.kill();
      holder.tickets.delete(news.sessionId);
      const sent = await client._client
        .post({
          url: "/session/{id}/prompt_async",
          path: { id: root },
          headers: { "Content-Type": "application/json" },
          body: { parts: [{ type: "text", text: news.words }] },
        })
        .catch((error) => ({ error }));
      if (sent?.error === undefined) child.stdin.end("ok\\n");
      else child.kill();
    });
    child.on("error", () => {});
    child.on("close", () => {
      if (holder.child !== child) return;
      holder.child = undefined;
      // Without news, the hub has nothing to wait for.
      if (isGiven) listen(root, holder);
      else holders.delete(root);
    });
    child.stdin.on("error", () => {});
    child.stdin.write(JSON.stringify({ sessions: [...holder.tickets].slice(-20) }));
  }

  const end = (isOver) => {
    for (const [id, { session, begin, child }] of waiting) {
      if (!isOver(id, session)) continue;
      waiting.delete(id);
      begin?.(undefined);
      child?.kill();
    }
  };

  async function ask(request) {
    const { id, sessionID, tool } = request;
    const mine = { session: sessionID, callID: tool?.callID, begin: undefined, child: undefined };
    const isOpen = () => waiting.get(id) === mine;
    waiting.set(id, mine);
    try {
      const [call, root, servers] = await Promise.all([callOf(mine, tool), rootOf(sessionID), client.mcp.status()]);
      if (!isOpen()) return;
      const event = { type: "permission.asked", properties: request, call, root, servers: Object.keys(servers.data ?? {}) };
      const answer = await runHook(event, (child) => {
        mine.child = child;
      });
      if (answer === undefined || !isOpen()) return;
      // OpenCode still runs what is allowed after an abort, so it is asked once more whether the agent is at work.
      const { data } = await client.session.status();
      const status = data?.[sessionID]?.type;
      if (status === undefined || status === "idle" || !isOpen()) return;
      waiting.delete(id);
      await client._client.post({
        url: "/permission/{requestID}/reply",
        path: { requestID: id },
        headers: { "Content-Type": "application/json" },
        body: answer,
      });
    } finally {
      if (isOpen()) waiting.delete(id);
    }
  }

  /** The tool and its arguments; a request holds only some of them, and may come before OpenCode has noted them. */
  async function callOf(mine, tool) {
    if (tool === undefined) return undefined;
    const begun = new Promise((resolve) => {
      mine.begin = resolve;
    });
    const { data } = await client.session.message({ path: { id: mine.session, messageID: tool.messageID } });
    const noted = data?.parts.find((part) => part.type === "tool" && part.callID === tool.callID);
    const part = noted === undefined || noted.state.status === "pending" ? await begun : noted;
    return part && { tool: part.tool, input: part.state.input };
  }

  /** The session that a person began; an agent's agent has one of its own. */
  async function rootOf(sessionID) {
    let root = sessionID;
    for (let depth = 0; depth < 10; depth += 1) {
      const { data } = await client.session.get({ path: { id: root } });
      if (data?.parentID === undefined) break;
      root = data.parentID;
    }
    return root;
  }

  /** What somebody decided; undefined if nobody did. */
  function runHook(event, started) {
    return new Promise((resolve) => {
      const child = spawn(command, { cwd: directory, shell: true, stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
      started(child);
      let output = "";
      child.on("error", () => resolve(undefined));
      child.on("close", (code) => resolve(code === 0 ? answerIn(output) : undefined));
      child.stdout.setEncoding("utf8").on("data", (text) => {
        output += text;
        if (output.length > maxAnswer) child.kill();
      });
      child.stdin.on("error", () => {});
      child.stdin.end(JSON.stringify(event));
    });
  }

  return {
    event: async ({ event: { type, properties } }) => {
      switch (type) {
        case "permission.asked":
          // OpenCode's own prompt decides whatever fails here.
          ask(properties).catch(() => {});
          break;
        case "message.part.updated": {
          const { part } = properties;
          if (part.type !== "tool" || part.state.status === "pending") break;
          if (part.state.status === "completed") returned(part).catch(() => {});
          for (const one of waiting.values()) if (one.callID === part.callID) one.begin?.(part);
          break;
        }
        case "permission.replied":
          end((id) => id === properties.requestID);
          break;
        case "session.deleted":
          holders.get(properties.info?.id)?.tickets.clear();
          holders.get(properties.info?.id)?.child?.kill();
          end((_id, session) => session === properties.info?.id);
          break;
        case "session.error":
        case "session.idle":
          end((_id, session) => session === (properties.sessionID ?? properties.info?.id));
          break;
      }
    },
    dispose: async () => {
      for (const { tickets, child } of holders.values()) {
        tickets.clear();
        child?.kill();
      }
      end(() => true);
    },
  };
};

function newsIn(output) {
  try {
    const { words, sessionId } = JSON.parse(output.slice(0, output.indexOf("\\n")));
    return typeof words === "string" && typeof sessionId === "string" ? { words, sessionId } : undefined;
  } catch {
    return undefined;
  }
}

/** Everything but these two forms decides nothing. */
function answerIn(output) {
  try {
    const { reply, message } = JSON.parse(output);
    if (reply === "once") return { reply };
    return reply === "reject" && typeof message === "string" && message !== "" ? { reply, message } : undefined;
  } catch {
    return undefined;
  }
}
`;
