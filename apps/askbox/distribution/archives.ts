import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { defaultTool, getFilesTool, toolDefinitions } from "@askbox/mcp";
import { zipSync } from "fflate";
import manifest from "../package.json" with { type: "json" };
import { pluginFiles, pluginFolder } from "./plugins.ts";
import { serverJson } from "./server-json.ts";

/** What an MCP bundle says of itself. */
export function bundleManifest() {
  return {
    manifest_version: "0.4",
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
    tools: [...toolDefinitions([defaultTool]), getFilesTool].map(({ name, description }) => ({
      name,
      description: description.split("\n")[0] ?? "",
    })),
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

/** The whole command, whose server starts the hub from the same files, in a folder of an archive. */
function serverFiles({ app, dist }: BundleSources, folder: string): Record<string, Uint8Array> {
  const { name, version, license, type, bin, engines } = manifest;
  const files: Record<string, Uint8Array> = {
    [`${folder}/package.json`]: text({ name, version, license, type, bin, engines }),
    [`${folder}/bin/askbox.js`]: readFileSync(join(app, "bin", "askbox.js")),
    [`${folder}/config.schema.json`]: readFileSync(join(app, "config.schema.json")),
  };
  for (const path of readdirSync(dist, { recursive: true, encoding: "utf8" }).sort()) {
    const file = join(dist, path);
    if (statSync(file).isFile()) files[`${folder}/dist/${path.split(sep).join("/")}`] = readFileSync(file);
  }
  return files;
}

const pack = (files: Record<string, Uint8Array>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, [bytes, { mtime: noTime, level: 9 }]])));

/** The desktop extension: its manifest and the server. */
export const packBundle = (sources: BundleSources): Uint8Array =>
  pack({
    "manifest.json": text(bundleManifest()),
    "icon.png": readFileSync(sources.icon),
    LICENSE: readFileSync(sources.licence),
    ...serverFiles(sources, "server"),
  });

/** The plugin and the marketplaces that list it, with the server, so that it runs without npm. */
export const packPlugin = (sources: BundleSources): Uint8Array =>
  pack({
    ...Object.fromEntries([...pluginFiles()].map(([path, content]) => [path, Buffer.from(content)])),
    [`${pluginFolder}/LICENSE`]: readFileSync(sources.licence),
    ...serverFiles(sources, `${pluginFolder}/server`),
  });

const text = (value: unknown) => Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`);
