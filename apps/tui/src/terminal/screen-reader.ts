/** Whether the user asked for plain text, with Ink's variable or the one shared by other programs' accessibility settings. */
export function wantsScreenReader(env: Readonly<Record<string, string | undefined>>): boolean {
  return env["INK_SCREEN_READER"] === "true" || env["ASKBOX_SCREEN_READER"] === "true" || env["ASKBOX_SCREEN_READER"] === "1";
}
