/** How Claude Code's http hooks say what started it: a header, and the variable of Claude Code's own that fills it. */
export const claudeEntrypoint = { header: "Askbox-Entrypoint", variable: "CLAUDE_CODE_ENTRYPOINT" } as const;
