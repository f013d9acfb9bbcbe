/** How many colours the terminal shows: none, 16, 256, or all. */
export type ColorDepth = "none" | "16" | "256" | "all";

type Environment = Readonly<Record<string, string | undefined>>;

/** `NO_COLOR` (https://no-color.org) counts if it is not empty; `FORCE_COLOR` takes precedence, as in Node. */
export function colorDepthOf(env: Environment): ColorDepth {
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return (Object.hasOwn(forcedDepths, forced) ? forcedDepths[forced] : undefined) ?? "16";
  if (env["NO_COLOR"] !== undefined && env["NO_COLOR"] !== "") return "none";
  const term = env["TERM"] ?? "";
  if (term === "dumb") return "none";
  if (/^(truecolor|24bit)$/.test(env["COLORTERM"] ?? "") || /-direct$/.test(term)) return "all";
  return /256/.test(term) ? "256" : "16";
}

const forcedDepths: Readonly<Record<string, ColorDepth>> = {
  "0": "none",
  false: "none",
  "1": "16",
  true: "16",
  "": "16",
  "2": "256",
  "3": "all",
};
