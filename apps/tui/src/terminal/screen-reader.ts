/** Whether a person has asked for plain text: Ink's variable, or the one that accessibility settings of other programs share. */
export function wantsScreenReader(env: Readonly<Record<string, string | undefined>>): boolean {
  return env["INK_SCREEN_READER"] === "true" || env["ASKBOX_SCREEN_READER"] === "true" || env["ASKBOX_SCREEN_READER"] === "1";
}
