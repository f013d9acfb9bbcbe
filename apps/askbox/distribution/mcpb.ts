import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { defaultTool, toolDefinitions } from "@askbox/mcp";
import { type Zippable, zipSync } from "fflate";
import manifest from "../package.json" with { type: "json" };
import { serverJson } from "./server-json.ts";

/** What an MCP bundle says of itself. */
export function bundleManifest() {
  return {
    manifest_version: "0.3",
    name: manifest.name,
    display_name: "askbox",
    version: manifest.version,
    description: serverJson.description,
    long_description:
      "The agent asks with the tool ask_user and goes on with the answer in the same call. Questions of all agents on this machine come into one inbox, in a browser or a terminal; the first answer wins, and silence is never taken for one.",
    author: { name: "askbox" },
    license: manifest.license,
    icon: "icon.png",
    keywords: ["human in the loop", "questions", "inbox"],
    server: {
      type: "node",
      entry_point: "server/bin/askbox.js",
      mcp_config: { command: "node", args: ["$" + "{__dirname}/server/bin/askbox.js", "mcp"] },
    },
    tools: toolDefinitions([defaultTool]).map(({ name, description }) => ({ name, description: description.split("\n")[0] ?? "" })),
    compatibility: { platforms: ["darwin", "linux", "win32"], runtimes: { node: manifest.engines.node } },
  };
}

export interface BundleSources {
  /** The package's folder: `bin`, `package.json`. */
  app: string;
  /** The built command. */
  dist: string;
  licence: string;
  icon: string;
}

/** The same bytes from the same files. */
const noTime = new Date("1980-01-01T00:00:00");

/** The bundle: the manifest and the whole command, whose server starts the hub from the same files. */
export function packBundle({ app, dist, licence, icon }: BundleSources): Uint8Array {
  const { name, version, license, type, bin, engines } = manifest;
  const own = { name, version, license, type, bin, engines };
  const files: Record<string, Uint8Array> = {
    "manifest.json": text(bundleManifest()),
    "icon.png": readFileSync(icon),
    LICENSE: readFileSync(licence),
    "server/package.json": text(own),
    "server/bin/askbox.js": readFileSync(join(app, "bin", "askbox.js")),
    "server/config.schema.json": readFileSync(join(app, "config.schema.json")),
  };
  for (const path of readdirSync(dist, { recursive: true, encoding: "utf8" }).sort()) {
    const file = join(dist, path);
    if (statSync(file).isFile()) files[`server/dist/${path.split(sep).join("/")}`] = readFileSync(file);
  }
  const zippable: Zippable = Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, [bytes, { mtime: noTime, level: 9 }]]));
  return zipSync(zippable);
}

const text = (value: unknown) => Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`);
