import { describe, expect, it, onTestFinished } from "vitest";
import { homeFiles, homeFolders } from "../src/index.ts";

describe("the home's folders", () => {
  it("follow the XDG base directories on Linux", () => {
    expect(homeFolders({ env: { HOME: "/home/ada" }, platform: "linux" })).toEqual({
      data: "/home/ada/.local/share/askbox",
      config: "/home/ada/.config/askbox",
      runtime: "/home/ada/.local/share/askbox",
      logs: "/home/ada/.local/state/askbox/logs",
    });
    const env = { HOME: "/home/ada", XDG_DATA_HOME: "/data", XDG_CONFIG_HOME: "relative", XDG_STATE_HOME: "/state" };
    expect(homeFolders({ env, platform: "linux" })).toEqual({
      data: "/data/askbox",
      config: "/home/ada/.config/askbox",
      runtime: "/data/askbox",
      logs: "/state/askbox/logs",
    });
  });

  it("do not depend on the runtime folder, which clients drop and logging out empties", () => {
    const at = (env: Record<string, string>) => homeFolders({ env: { HOME: "/home/ada", ...env }, platform: "linux" });
    expect(at({ XDG_RUNTIME_DIR: "/run/user/1000" })).toEqual(at({}));
  });

  it("are in the Library on macOS", () => {
    expect(homeFolders({ env: { HOME: "/Users/ada" }, platform: "darwin" })).toEqual({
      data: "/Users/ada/Library/Application Support/askbox",
      config: "/Users/ada/Library/Preferences/askbox",
      runtime: "/Users/ada/Library/Application Support/askbox",
      logs: "/Users/ada/Library/Logs/askbox",
    });
  });

  it("are in the user's application data on Windows", () => {
    const env = { USERPROFILE: "C:\\Users\\ada", APPDATA: "C:\\Users\\ada\\AppData\\Roaming", LOCALAPPDATA: "D:\\Local" };
    expect(homeFolders({ env, platform: "win32" })).toEqual({
      data: "D:\\Local\\askbox\\Data",
      config: "C:\\Users\\ada\\AppData\\Roaming\\askbox\\Config",
      runtime: "D:\\Local\\askbox\\Data",
      logs: "D:\\Local\\askbox\\Log",
    });
  });

  it.each([
    ["/box", "/box"],
    ["~/box", "/home/ada/box"],
    ["~", "/home/ada"],
  ])("are all directly in ASKBOX_HOME when it is %s", (chosen, folder) => {
    const folders = homeFolders({ env: { HOME: "/home/ada", ASKBOX_HOME: chosen }, platform: "linux" });
    expect(folders).toEqual({ data: folder, config: folder, runtime: folder, logs: `${folder}/logs` });
    expect(homeFiles(folders, "linux")).toEqual({
      hub: `${folder}/hub.json`,
      attachments: `${folder}/files`,
      mcpSessions: `${folder}/mcp-sessions.db`,
      ran: `${folder}/ran.db`,
      askedBack: `${folder}/asked-back`,
      overruled: `${folder}/overruled`,
      edits: `${folder}/edits`,
      follows: `${folder}/follows`,
      lastHub: `${folder}/last-hub.json`,
      desk: `${folder}/desk.json`,
      devices: `${folder}/devices.json`,
      tokens: `${folder}/tokens.json`,
      agents: `${folder}/agents.json`,
      grants: `${folder}/grants.json`,
      told: `${folder}/told.json`,
      pushKey: `${folder}/push-key.json`,
      buttonPresses: `${folder}/presses.json`,
      chat: `${folder}/chat.json`,
      clients: `${folder}/clients.json`,
      clientBackups: `${folder}/client-backups`,
      probes: `${folder}/probes.json`,
      webhooks: `${folder}/webhooks.json`,
      lock: `${folder}/hub.lock`,
      joined: `${folder}/joined.json`,
      unreached: `${folder}/unreached`,
      socket: `${folder}/hub.sock`,
      database: `${folder}/askbox.db`,
      config: `${folder}/config.json`,
      configSchema: `${folder}/config.schema.json`,
      log: `${folder}/logs/askbox.log`,
      wakes: `${folder}/logs/wakes`,
    });
  });
});

it("an empty HOME is none: nothing is put into the working folder", () => {
  const home = process.env["HOME"];
  process.env["HOME"] = "";
  onTestFinished(() => {
    process.env["HOME"] = home;
  });
  const { data, config, logs } = homeFolders({ env: { HOME: "" }, platform: "linux" });
  for (const folder of [data, config, logs]) expect(folder).toMatch(/^\//);
});
