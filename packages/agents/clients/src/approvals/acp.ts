import { type ApprovalAsk, type ApprovalOver, type ApprovalSource, approvalAsk, commandAction, type FormAsk } from "@askbox/approvals";
import type { Action } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { cut } from "@askbox/core/questions";
import * as z from "zod";
import { editDiff } from "../diff.ts";
import { isObject, type JsonObject } from "../json.ts";
import { formAsked } from "./form.ts";
import { relayedWith, runOf, textOf, titleOfTool } from "./tool-event.ts";

/**
 * Permission requests and forms of agents that speak the Agent Client Protocol, as `askbox acp` and `askbox run` send them: the request with
 * all that the agent has said of its tool call. A person sees whatever the agent has sent of it, and decides once, or picks one of the
 * agent's own lasting options by its name. What has nothing to show, or too much, is left to the editor.
 */

const option = z.looseObject({ optionId: z.string().min(1).max(180), name: z.string().min(1), kind: z.string() });
const eventSchema = z.looseObject({
  type: z.enum(["permission", "form", "over"]),
  conversation: z.string().min(1).max(500),
  run: z.string().min(1).max(200),
  reason: z.string().max(1_000).optional(),
  isOverruled: z.boolean().optional(),
  decided: z
    .looseObject({
      by: z.string().min(1).max(100),
      /** Nothing that askbox would remember as a grant. */
      value: z
        .string()
        .regex(/^(allow|deny|agent:.+)$/)
        .max(200)
        .optional(),
      comment: z.string().max(1_000).optional(),
    })
    .optional()
    .catch(undefined),
  agent: z.looseObject({ name: z.string().min(1).max(200), title: z.string().max(200).nullish() }).optional(),
  cwd: z.string().min(1).max(4_096).optional(),
  options: z.array(option).max(50).optional().catch(undefined),
});
type Event = z.output<typeof eventSchema>;

export const acpSource: ApprovalSource = {
  client: "acp",
  path: "/hooks/acp",
  read(value) {
    // Exact numbers of the arguments are opaque values, which a schema would not keep.
    const { success, data } = eventSchema.safeParse(isObject(value) ? { ...value, toolCall: undefined, schema: undefined } : value);
    if (!success || !isObject(value)) return undefined;
    switch (data.type) {
      case "over":
        return overOf(data);
      case "form":
        return readForm(data, value);
      case "permission":
        return readAsk(data, value);
    }
  },
  reply: (_ask, decision) =>
    decision.kind === "deny"
      ? { isAllowed: false, reason: decision.reason, files: decision.files }
      : { isAllowed: true, ...(decision.option !== undefined && { optionId: decision.option.slice(ownOption.length) }) },
  refused: ({ code, message }) => ({ refused: { code, message } }),
};

const ownOption = "agent:";
/** Texts of a request that are looked for in what is shown anyway; further ones are shown. */
const lookedFor = 20;

/** Agents by what they call themselves, as far as grants and titles know them by another name. */
const known: readonly [RegExp, string][] = [
  [/\bclaude\b/i, "claude-code"],
  [/\bcodex\b/i, "codex"],
  [/^opencode$/i, "opencode"],
  [/^gemini(-cli)?$/i, "gemini-cli"],
  [/^copilot\b/i, "copilot-cli"],
];
const clientOf = (name: string): string => known.find(([pattern]) => pattern.test(name))?.[1] ?? cut(name.trim().toLowerCase(), 100);

const overOf = ({ conversation, run, reason = "It was decided elsewhere.", isOverruled, decided }: Event): ApprovalOver => ({
  kind: "over",
  conversation,
  run: runKey(run),
  agentId: undefined,
  isWhole: false,
  reason,
  yields: true,
  decided,
  ...(isOverruled === true && {
    report: "The editor's answer was already on its way to the agent, so the answer given here had no effect.",
  }),
});

/** A request is one of its own, even if it asks for the same as another. */
const runKey = (run: string): string => runOf("acp request", { run });

function placeOf({ conversation, agent, cwd }: Event, value: JsonObject) {
  const { branch, background, folder } = relayedWith(value);
  return { client: clientOf(agent?.name ?? "acp"), conversation, cwd: folder ?? cwd, branch, background, agentId: undefined };
}

function readForm(event: Event, value: JsonObject): FormAsk | undefined {
  const { message } = value;
  if (typeof message !== "string") return undefined;
  const form = formAsked(message.trim() === "" ? "Please fill in this form" : message, value["schema"], (result, outcome) => ({
    result,
    files: outcome.kind === "answered" ? outcome.files : undefined,
  }));
  if (form === undefined) return undefined;
  // Not the agent's ask: no other of its asks may get these answers.
  return {
    ...placeOf(event, value),
    kind: "form",
    run: runKey(event.run),
    requestId: event.run,
    agentId: "acp:form",
    isHidden: false,
    ...form,
  };
}

function readAsk(event: Event, value: JsonObject): ApprovalAsk | undefined {
  const call = isObject(value["toolCall"]) ? value["toolCall"] : {};
  const place = placeOf(event, value);
  const action = actionOf(call, textOf(value["description"], 10_000), event.cwd);
  const options = event.options ?? [];
  const [once] = options.filter(({ kind }) => kind === "allow_once");
  const lasting = options.filter((each) => each !== once && each.kind.startsWith("allow"));
  return approvalAsk({
    ...place,
    agent: event.agent?.title || clientTitle(place.client),
    run: runKey(event.run),
    requestId: event.run,
    action,
    input: action.input ?? {},
    agentOptions: lasting.slice(0, 10).map(({ optionId, name }) => ({ value: `${ownOption}${optionId}`, label: cut(name, 200) })),
  });
}

/** What the agent has said of the call, as an action that shows all of it. */
function actionOf(call: JsonObject, description: string | undefined, folder: string | undefined): Action {
  const { kind = "other", title, rawInput, content, locations, _meta: meta } = call;
  const given = isObject(rawInput) ? rawInput : rawInput === undefined || rawInput === null ? {} : { input: rawInput };
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  const diffs = blocks.flatMap(({ type, path, oldText, newText }) =>
    type === "diff" && typeof path === "string" && typeof newText === "string"
      ? [{ path, before: typeof oldText === "string" ? oldText : "", after: newText }]
      : [],
  );
  const texts = blocks.flatMap((block) =>
    isObject(block["content"]) && typeof block["content"]["text"] === "string" ? [block["content"]["text"]] : [],
  );
  // Pictures and what else has no words; a terminal shows what runs, and nothing runs yet.
  const others = blocks.filter(
    ({ type, content: inner }) => type !== "diff" && type !== "terminal" && !(isObject(inner) && typeof inner["text"] === "string"),
  );
  const titled = typeof title === "string" && title.trim() !== "" ? title : undefined;
  const tool = toolOf(meta, titled, String(kind));
  const command = commandOf(given["command"]) ?? (kind === "execute" && diffs.length === 0 ? titled : undefined);
  const cwd = textOf(given["cwd"], 4_096) ?? folder;
  const words = (shown: readonly string[]) =>
    texts.filter((text, index) => text.trim() !== "" && !(index < lookedFor && shown.some((each) => each.includes(text.trim()))));
  const rest = (named: readonly string[], shown: readonly string[]): JsonObject => {
    const unshown = Object.entries(given).filter(
      ([name, value]) => !named.includes(name) && !(typeof value === "string" && value !== "" && shown.includes(value)),
    );
    const said = words(shown);
    const places = Array.isArray(locations)
      ? locations.flatMap((each) =>
          isObject(each) && typeof each["path"] === "string" && !shown.includes(each["path"]) ? [each["path"]] : [],
        )
      : [];
    return {
      ...Object.fromEntries(unshown),
      ...(said.length > 0 && { "the agent says": said.join("\n") }),
      ...(others.length > 0 && { content: others }),
      ...(places.length > 0 && { files: places }),
    };
  };
  const spoken = description ?? textOf(given["description"], 10_000);
  if (diffs.length > 0) {
    const [first] = diffs;
    const shown = diffs.flatMap(({ path, before, after }) => [path, before, after]);
    const input = rest(["diff"], shown);
    return {
      kind: "edit",
      tool,
      ...(diffs.length === 1 && first !== undefined && { path: first.path }),
      diff: diffs.map(({ path, before, after }) => editDiff(path, before, after)).join(""),
      ...titleFrom(titled, shown),
      ...(Object.keys(input).length > 0 && { input }),
    };
  }
  if (command !== undefined) {
    const { title: _title, input: _input, ...action } = commandAction(tool, { command }, cwd);
    const shown = [command, ...(cwd === undefined ? [] : [cwd])];
    const input = { command, ...rest(["command", "cwd", "description"], shown) };
    return { ...action, ...titleFrom(spoken ?? titled, [command, `\`${command}\``]), input };
  }
  const { plan, url } = given;
  if (kind === "switch_mode" && typeof plan === "string") return { kind: "plan", tool, text: plan, input: rest(["plan"], [plan]) };
  if (kind === "fetch" && typeof url === "string")
    return { kind: "fetch", tool, path: url, ...titleFrom(spoken ?? titled, [url]), input: given };
  const named = titled?.startsWith("mcp__") ? titleOfTool(titled) : titleFrom(spoken ?? titled, [tool]);
  return {
    kind: "tool",
    tool,
    ...named,
    ...(folder !== undefined && { cwd: folder }),
    input: { ...rest([], []), ...(titled !== undefined && titled !== tool && { title: titled }) },
  };
}

/** The agent's name of the tool, as far as ACP tells: Claude's own field, an MCP tool's title, or else only its kind. */
function toolOf(meta: unknown, title: string | undefined, kind: string): string {
  const claude = isObject(meta) && isObject(meta["claudeCode"]) ? textOf(meta["claudeCode"]["toolName"], 200) : undefined;
  return claude ?? (isMcpTool(title) ? title : cut(kind, 100));
}

/** Whether it is the name of a server's tool: `mcp__server__tool`. */
function isMcpTool(title: string | undefined): title is string {
  if (title === undefined) return false;
  const between = title.indexOf("__", "mcp__s".length);
  return /^mcp__\w+$/.test(title) && between !== -1 && between + "__".length < title.length;
}

function commandOf(command: unknown): string | undefined {
  if (typeof command === "string" && command.trim() !== "") return command;
  const words = Array.isArray(command) && command.length > 0 && command.every((word) => typeof word === "string") ? command : undefined;
  return words?.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
}

const titleFrom = (title: string | undefined, shown: readonly string[]): { title?: string } =>
  title === undefined || shown.includes(title) ? {} : { title };
