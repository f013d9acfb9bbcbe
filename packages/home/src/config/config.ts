import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { AskboxError } from "@askbox/core";
import { issueClause, quote } from "@askbox/core/schemas";
import type * as z from "zod";
import { type HomeFolders, homeFiles } from "../files/folders.ts";
import { refuseStrange, writePrivateFile } from "../files/private-file.ts";
import { changeAlone } from "../files/process-lock.ts";
import { type Config, type ConfigInput, configJsonSchema, configSchema } from "./schema.ts";

/**
 * The configuration: defaults, then the file, variables of the environment, and flags, each with where it came from. What is wrong is named with
 * a sentence that says where it stands. Changes are made by one process at a time and keep what they don't change.
 */

type Plain = Record<string, unknown>;

/** Levels of `config.json`. */
const deepest = 20;
/** Characters. */
const maxNameLength = 100;

/** The source of a setting's value. */
type ConfigSource = "flag" | "environment" | "file" | "default";

export interface LoadedConfig {
  config: Config;
  /** Warnings about unknown settings in the file, and about variables. */
  warnings: string[];
  /** Of these, the ones about variables that are ignored. */
  ignored: string[];
  /** By the setting's path; settings that are missing here have their defaults. */
  sources: ReadonlyMap<string, ConfigSource>;
}

export interface LoadConfigOptions {
  folders: HomeFolders;
  env?: Readonly<Record<string, string | undefined>>;
  /** The values from the command line; undefined members count as not given. */
  flags?: { [Name in keyof ConfigInput]?: ConfigInput[Name] | undefined };
}

/**
 * All settings. Precedence: flag, environment, file, default. What another program's variable or a debug variable holds is ignored if it is
 * not valid, with a warning, since no question should fail for it. Throws `VALIDATION` with a sentence that names what is wrong and where, and
 * `FORBIDDEN` if another user could have written the file, since settings can run commands and send questions elsewhere.
 */
export function loadConfig({ folders, env = process.env, flags = {} }: LoadConfigOptions): LoadedConfig {
  const path = homeFiles(folders).config;
  refuseStrange(path);
  const fromFile = parseConfig(path, readText(path));
  const fileCheck = configSchema.safeParse(fromFile);
  const warnings: string[] = [];
  if (!fileCheck.success) {
    for (const issue of fileCheck.error.issues) {
      const least = leastOf(issue);
      if (least !== undefined) {
        warnings.push(`${path}: ${raised(issue, least)}`);
        setAt(fromFile, issue.path.map(String), least);
        continue;
      }
      if (issue.code !== "unrecognized_keys") throw new AskboxError("VALIDATION", `${path}: ${sentence(issue)}.`);
      for (const key of issue.keys) {
        warnings.push(`${path}: the setting ${nameOf([...issue.path, key])} is unknown and ignored.`);
        removeAt(fromFile, [...issue.path.map(String), key]);
      }
    }
  }
  const sources = new Map<string, ConfigSource>(leaves(fromFile).map((setting) => [setting, "file"]));
  const ignored: string[] = [];
  const ignore = (sentence: string) => void ignored.push(sentence);
  let merged = structuredClone(fromFile);
  const apply = (setting: string, value: unknown, source: ConfigSource, name: string) => {
    const next = structuredClone(merged);
    setAt(next, setting.split("."), value);
    const check = configSchema.safeParse(next);
    const least = leastOf(check.error?.issues[0]);
    if (least !== undefined && check.error !== undefined) {
      ignored.push(`${name}: ${raised(check.error.issues[0], least)}`);
      return apply(setting, least, source, name);
    }
    if (!check.success) {
      const fault = `${name}: ${sentence(check.error.issues[0])}`;
      if (isBorrowed(name)) return ignore(`${fault}; it is ignored.`);
      throw new AskboxError("VALIDATION", `${fault}.`);
    }
    merged = next;
    sources.set(setting, source);
  };
  for (const { variable, setting, value } of environmentSettings(env, ignore)) apply(setting, value, "environment", variable);
  for (const setting of leaves(flags)) {
    const value = valueAt(flags, setting.split("."));
    const flag = setting.replace(".", "-").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (value !== undefined) apply(setting, value, "flag", `--${flag}`);
  }
  return { config: configSchema.parse(merged), warnings: [...warnings, ...ignored], ignored, sources };
}

/** One setting by its path, such as `limits.pending`; undefined if it has no value. Throws `VALIDATION` if there is no such setting. */
export function getConfigValue(config: Config, setting: string): unknown {
  return valueAt(config, knownPath(setting));
}

/**
 * Writes one setting to `config.json` and keeps the rest; `text` is JSON or a bare word, undefined removes the setting. Throws `VALIDATION`
 * if the setting is unknown or the value is not valid; nothing is written.
 */
export function setConfigValue(folders: HomeFolders, setting: string, text: string | undefined): Config {
  const { config: path, configSchema: schemaPath } = homeFiles(folders);
  const before = readText(path);
  const file = parseConfig(path, before);
  const names = knownPath(setting);
  const value = text === undefined ? undefined : fromText(text, names);
  if (isNested(value, deepest - names.length)) throw new AskboxError("VALIDATION", `${setting} cannot be nested so deeply.`);
  if (text === undefined) removeAt(file, names);
  else setAt(file, names, value);
  const check = configSchema.safeParse(file);
  const refusal = check.error?.issues.find((issue) => {
    return issue.code !== "unrecognized_keys" && (leastOf(issue) === undefined || issue.path.join(".") === setting);
  });
  if (refusal !== undefined) throw new AskboxError("VALIDATION", `${sentence(refusal)}.`);
  const { $schema = `./${basename(schemaPath)}`, ...settings } = file;
  writePrivateFile(path, `${JSON.stringify({ $schema, ...settings }, undefined, indentOf(before))}\n`);
  writePrivateFile(schemaPath, `${JSON.stringify(configJsonSchema(), undefined, 2)}\n`);
  return loadConfig({ folders, env: {} }).config;
}

/** Changes settings while no other command does. Its lock is in the data folder, since only that is sure to be its owner's alone. */
export const changeConfigAlone = <Result>(folders: HomeFolders, change: () => Result): Promise<Result> =>
  changeAlone(join(folders.data, "config"), change);

/** Every setting by its path, in the schema's order. */
export function configSettings(): string[] {
  return Object.keys(configSchema.shape).flatMap((name) => {
    const group = groups.get(name);
    if (group !== undefined) return Object.keys(group).map((inner) => `${name}.${inner}`);
    return name === "$schema" ? [] : [name];
  });
}

/** Settings that contain other settings. */
const groups: ReadonlyMap<string, object> = new Map<string, object>([
  ["limits", configSchema.shape.limits.unwrap().shape],
  ["tls", configSchema.shape.tls.unwrap().shape],
]);

/** Undefined if there is no file. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    if ((cause as { code?: string }).code === "ENOENT" || (cause as { code?: string }).code === "ENOTDIR") return undefined;
    throw new AskboxError("VALIDATION", `${path} cannot be read; make it readable or remove it.`, { cause });
  }
}

/** The file's indentation, so that writing one setting changes few lines. */
function indentOf(text: string | undefined): string {
  return /^\s*\{\r?\n([ \t]+)/.exec(text ?? "")?.[1] ?? "  ";
}

function parseConfig(path: string, text: string | undefined): Plain {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    // No setting is this deep, and recursive code must not overflow.
    if (isNested(value, deepest)) throw new AskboxError("VALIDATION", `${path} nests settings too deeply; fix it or remove it.`);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch (cause) {
    if (cause instanceof AskboxError) throw cause;
    // As Node says it for most mistakes.
    const [, line] = /\(line (\d+) column \d+\)/.exec(String(cause)) ?? [];
    const where = line === undefined || line === "1" ? "" : ` in line ${line}, and takes no comments`;
    throw new AskboxError("VALIDATION", `${path} is not valid JSON${where}; fix it or remove it.`, { cause });
  }
  throw new AskboxError("VALIDATION", `${path} must hold one JSON object; fix it or remove it.`);
}

/** Whether a value is nested deeper than this many levels. */
function isNested(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isNested(inner, levels - 1));
}

function knownPath(setting: string): string[] {
  const names = setting.split(".");
  const [first = "", second] = names;
  const group = second === undefined ? undefined : groups.get(first);
  const known =
    group !== undefined && second !== undefined
      ? names.length === 2 && Object.hasOwn(group, second)
      : names.length === 1 && first !== "$schema" && Object.hasOwn(configSchema.shape, first);
  if (!known) {
    throw new AskboxError("VALIDATION", `There is no setting ${quote(setting)}; the settings are ${configSettings().join(", ")}.`);
  }
  return names;
}

/** Settings that are lists of names. */
const lists: readonly string[] = ["hosts", "autoRegister"];

/** Parses the input as JSON if possible, otherwise as a string; for lists, names separated by commas. */
function fromText(text: string, [name]: readonly string[]): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (name === undefined || !lists.includes(name)) return text;
    return text
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "");
  }
}

function valueAt(settings: object, path: readonly string[]): unknown {
  let value: unknown = settings;
  for (const name of path) value = (value as Plain | undefined)?.[name];
  return value;
}

function setAt(target: Plain, path: readonly string[], value: unknown): void {
  const [name = "", ...rest] = path;
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const inner = typeof target[name] === "object" && target[name] !== null ? { ...target[name] } : {};
  setAt(inner, rest, value);
  target[name] = inner;
}

function removeAt(target: Plain, path: readonly string[]): void {
  const [name = "", ...rest] = path;
  const inner = target[name];
  if (rest.length === 0) delete target[name];
  else if (typeof inner === "object" && inner !== null) removeAt(inner as Plain, rest);
}

function leaves(value: object, prefix = ""): string[] {
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner) ? leaves(inner, `${prefix}${name}.`) : [`${prefix}${name}`],
  );
}

/** What counts instead of a value that earlier versions took, and that is now too small. */
const leastOf = (issue: z.core.$ZodIssue | undefined): string | undefined =>
  issue?.code === "custom" && typeof issue.params?.["least"] === "string" ? issue.params["least"] : undefined;

const raised = (issue: z.core.$ZodIssue | undefined, least: string) => `${sentence(issue)}; ${least} counts.`;

/** A setting's path, shortened if it is far too long. */
function nameOf(path: readonly PropertyKey[]): string {
  const name = path.map(String).join(".");
  return name.length > maxNameLength ? quote(name) : name;
}

function sentence(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return "the settings are not valid";
  const name = nameOf(issue.path) || "the settings";
  switch (issue.code) {
    case "custom":
      return `${name} ${issue.message}`;
    case "invalid_value":
      return `${name} must be one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
    case "too_big":
      return `${name} ${issueClause(issue)}`;
    case "invalid_type":
      return `${name} must be ${issue.expected === "int" ? "a whole number" : `of the type ${issue.expected}`}`;
    default:
      return `${name} is not valid: ${issue.message}`;
  }
}

type Reader = (text: string) => unknown;

const asNumber: Reader = (text) => (/^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text);
const asText: Reader = (text) => text;
const asList: Reader = (text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

/**
 * The settings that an environment variable may set. `allowAnswerFromAgents` is not one of them, since an agent controls its commands'
 * environment.
 */
const variables: Readonly<Record<string, readonly [setting: string, read: Reader]>> = {
  ASKBOX_TIMEOUT: ["timeout", asNumber],
  ASKBOX_PORT: ["port", asNumber],
  ASKBOX_SOCKET: ["socket", asText],
  ASKBOX_HOST: ["host", asText],
  ASKBOX_HOSTS: ["hosts", asList],
  ASKBOX_RETENTION: ["retention", asText],
  ASKBOX_ATTENTION: ["attention", asText],
  ASKBOX_STORE: ["store", asText],
  ASKBOX_SPACE: ["space", asText],
  ASKBOX_IDLE_EXIT: ["idleExit", asNumber],
  ASKBOX_LIMITS_ASKS_PER_MINUTE: ["limits.asksPerMinute", asNumber],
  ASKBOX_LIMITS_PENDING: ["limits.pending", asNumber],
  ASKBOX_LIMITS_ASKS_PER_MINUTE_PER_TOKEN: ["limits.asksPerMinutePerToken", asNumber],
  ASKBOX_LIMITS_PENDING_PER_TOKEN: ["limits.pendingPerToken", asNumber],
  ASKBOX_LIMITS_PENDING_BYTES_PER_TOKEN: ["limits.pendingBytesPerToken", asNumber],
  ASKBOX_TLS_CERT: ["tls.cert", asText],
  ASKBOX_TLS_KEY: ["tls.key", asText],
  ASKBOX_LIMITS_REQUESTS_PER_MINUTE: ["limits.requestsPerMinute", asNumber],
  ASKBOX_LIMITS_REQUEST_BYTES: ["limits.requestBytes", asNumber],
  ASKBOX_LIMITS_FILE_BYTES: ["limits.fileBytes", asNumber],
  ASKBOX_LIMITS_SESSION_FILE_BYTES: ["limits.sessionFileBytes", asNumber],
  ASKBOX_LIMITS_ALL_FILE_BYTES: ["limits.allFileBytes", asNumber],
  ASKBOX_LIMITS_FILE_BYTES_PER_TOKEN: ["limits.fileBytesPerToken", asNumber],
  ASKBOX_LIMITS_BROWSERS: ["limits.browsers", asNumber],
  ASKBOX_LOG_LEVEL: ["logLevel", asText],
};

/** The setting that each variable sets; `ASKBOX_DEBUG` and `ASKBOX_HOME` are not settings. */
export function settingVariables(): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).map(([variable, [setting]]) => [variable, setting]));
}

/**
 * Aliases from the `ask_user` design for three of them, used if askbox's own are not set, so that an entry for that server keeps working.
 */
// keys: the variables in a list of our own.
const otherNames: Readonly<Record<string, string>> = {
  ASKBOX_TIMEOUT: "CN_MCP_TIMEOUT",
  ASKBOX_PORT: "CN_MCP_PORT",
  ASKBOX_DEBUG: "CN_MCP_DEBUG",
};

type Environment = Readonly<Record<string, string | undefined>>;

/** A variable's value, and the name under which it was found; undefined if it is not set, or empty. */
function environmentText(env: Environment, variable: string): { name: string; text: string } | undefined {
  for (const name of [variable, otherNames[variable]]) {
    const text = name === undefined ? undefined : env[name];
    if (name !== undefined && text !== undefined && text !== "") return { name, text };
  }
  return undefined;
}

/** One setting that the environment gives. */
interface EnvironmentSetting {
  variable: string;
  setting: string;
  value: unknown;
}

/** The settings from the environment; `ignore` gets a sentence for a debug variable that is neither true nor false. */
function environmentSettings(env: Environment, ignore: (sentence: string) => void): EnvironmentSetting[] {
  const found: EnvironmentSetting[] = [];
  for (const [variable, [setting, read]] of Object.entries(variables)) {
    const entry = environmentText(env, variable);
    if (entry !== undefined) found.push({ variable: entry.name, setting, value: read(entry.text) });
  }
  const debug = environmentText(env, "ASKBOX_DEBUG");
  if (debug === undefined || ["false", "0"].includes(debug.text)) return found;
  if (["true", "1"].includes(debug.text)) found.push({ variable: debug.name, setting: "logLevel", value: "debug" });
  else ignore(`${debug.name} must be true or false, not ${quote(debug.text)}; it is ignored.`);
  return found;
}

/** Whether another program's design has given the variable its name: it may be meant for that program. */
const isBorrowed = (variable: string): boolean => Object.values(otherNames).includes(variable);
