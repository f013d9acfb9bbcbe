/** What the parts of an action are called. */
export const actionLabels = {
  tool: "Tool",
  title: "The agent's description",
  command: "Command",
  cwd: "Folder",
  path: "File or URL",
  diff: "Changes",
  plan: "Plan",
  arguments: "Arguments",
} as const;
