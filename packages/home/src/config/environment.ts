import { AskboxError } from "@askbox/core";

type Reader = (text: string) => unknown;

const asNumber: Reader = (text) => (/^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text);
const asText: Reader = (text) => text;
const asList: Reader = (text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

/**
 * The settings that an environment variable may set. `allowAnswerFromAgents` is not among them: an agent sets its commands' environment.
 */
const variables: Readonly<Record<string, readonly [setting: string, read: Reader]>> = {
  ASKBOX_TIMEOUT: ["timeout", asNumber],
  ASKBOX_PORT: ["port", asNumber],
  ASKBOX_HOST: ["host", asText],
  ASKBOX_HOSTS: ["hosts", asList],
  ASKBOX_RETENTION: ["retention", asText],
  ASKBOX_ATTENTION: ["attention", asText],
  ASKBOX_STORE: ["store", asText],
  ASKBOX_IDLE_EXIT: ["idleExit", asNumber],
  ASKBOX_LIMITS_ASKS_PER_MINUTE: ["limits.asksPerMinute", asNumber],
  ASKBOX_LIMITS_PENDING: ["limits.pending", asNumber],
  ASKBOX_LIMITS_REQUEST_BYTES: ["limits.requestBytes", asNumber],
  ASKBOX_LOG_LEVEL: ["logLevel", asText],
};

/** One setting that the environment gives. */
export interface EnvironmentSetting {
  variable: string;
  setting: string;
  value: unknown;
}

/** What the environment sets. Throws `VALIDATION` when `ASKBOX_DEBUG` is neither true nor false. */
export function environmentSettings(env: Readonly<Record<string, string | undefined>>): EnvironmentSetting[] {
  const found: EnvironmentSetting[] = [];
  for (const [variable, [setting, read]] of Object.entries(variables)) {
    const text = env[variable];
    if (text !== undefined && text !== "") found.push({ variable, setting, value: read(text) });
  }
  if (debugs(env["ASKBOX_DEBUG"])) found.push({ variable: "ASKBOX_DEBUG", setting: "logLevel", value: "debug" });
  return found;
}

function debugs(text: string | undefined): boolean {
  if (text === undefined || text === "" || text === "false" || text === "0") return false;
  if (text === "true" || text === "1") return true;
  throw new AskboxError("VALIDATION", `ASKBOX_DEBUG must be true or false, not ${JSON.stringify(text)}.`);
}
