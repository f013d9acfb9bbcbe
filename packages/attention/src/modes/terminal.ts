import { type Channel, type ChannelContext, Runnings } from "./channel.ts";
import { activeClient, tmuxRequest } from "./tmux.ts";

/** What leads the command in the popup, whose environment is tmux's and not this one, to the same home. */
const homeVariables = ["ASKBOX_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"];
/** Exit codes of `askbox --once` that are no failure: done, cancelled, timed out. */
const fine = [0, 3, 4];

/** The terminal inbox in a popup over the tmux client that the person used last. */
export function terminalChannel({ run, env, log, warnOnce }: ChannelContext, askboxCommand: readonly string[]): Channel {
  const runnings = new Runnings(run);
  let open: Promise<void> | undefined;

  /** Resolves when the popup has closed, or there was none. */
  const popup = async () => {
    const client = await activeClient((request) => runnings.start(request), env);
    if (client === "stopped") return;
    if (client === "no tmux") {
      warnOnce("No popup can be shown, since tmux cannot be run; `askbox doctor` says how to fix it.");
    } else if (client === "no client") {
      warnOnce("No popup can be shown, since nobody is attached to tmux; `askbox` shows the inbox in any terminal.");
    } else {
      // More than one word after `--`: tmux starts them as they are, without a shell.
      const words = ["env", ...homeVariables.flatMap((name) => (env[name] ? [`${name}=${env[name]}`] : [])), ...askboxCommand, "--once"];
      const shape = ["-E", "-w", "80%", "-h", "80%", "-T", "askbox", "-c", client.name];
      log("info", "Opened the inbox in a tmux popup");
      const request = tmuxRequest(client.server, ["display-popup", ...shape, "--", ...words], env);
      const { ending, stderr } = await runnings.start({ ...request, keepOutput: true }).ended;
      // Codes above 128 are signals: the person closed the popup or the terminal around it.
      if (ending.kind === "exited" && !fine.includes(ending.code) && ending.code <= 128) {
        warnOnce("The tmux popup with the inbox failed; `askbox doctor` says what it needs.", {
          exitCode: ending.code,
          reason: stderr.trim().slice(0, 300),
        });
      }
    }
  };
  return {
    async call() {
      open = popup().finally(() => {
        open = undefined;
      });
      await open;
    },
    busy: () => open,
    close: () => runnings.stop(),
  };
}
