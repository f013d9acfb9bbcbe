import { quote } from "@askbox/core/schemas";

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
export interface EnvironmentSetting {
  variable: string;
  setting: string;
  value: unknown;
}

/** The settings from the environment; `ignore` gets a sentence for a debug variable that is neither true nor false. */
export function environmentSettings(env: Environment, ignore: (sentence: string) => void): EnvironmentSetting[] {
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
export const isBorrowed = (variable: string): boolean => Object.values(otherNames).includes(variable);
