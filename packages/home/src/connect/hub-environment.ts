/** The variables that a hub's process inherits; names that end in `_` are prefixes. */
const allowed = [
  ...["HOME", "PATH", "LANG", "LC_", "LANGUAGE", "TZ", "TERM", "USER", "LOGNAME", "SHELL", "TMPDIR", "TMP", "TEMP"],
  ...[
    "XDG_",
    "ASKBOX_",
    "CN_MCP_",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "DBUS_SESSION_BUS_ADDRESS",
    "TMUX",
    "TMUX_TMPDIR",
    "WSL_DISTRO_NAME",
  ],
  // A browser on this machine does not help a remote person.
  ...["WSL_INTEROP", "SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"],
  ...["USERPROFILE", "USERNAME", "APPDATA", "LOCALAPPDATA", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT"],
];
/** A hub serves every agent on the machine, so it must not inherit the hub or token configured for one of them. */
const withheld = ["ASKBOX_TOKEN", "ASKBOX_HUB"];

/** The environment for a background hub, which outlives the agent whose environment this is. */
export function hubEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const isAllowed = (name: string) => allowed.some((entry) => (entry.endsWith("_") ? name.startsWith(entry) : name === entry));
  // keys: names of a process' variables, which are only passed on.
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const upper = name.toUpperCase();
    if (value !== undefined && isAllowed(upper) && !withheld.includes(upper)) kept[name] = value;
  }
  return kept;
}
