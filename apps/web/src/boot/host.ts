import { basePath } from "../base-path.ts";

/** What the program around the hub says about itself; the hub adds it to the page. */
interface Host {
  /** Whether a session of that program is a login here. */
  session: boolean;
  /** What the locked page says. */
  text?: string;
  link?: { text: string; url: string };
}

const content = document.querySelector<HTMLMetaElement>('meta[name="askbox-host"]')?.content;

/** Undefined if the hub is not part of another program. */
export const host = content === undefined ? undefined : (JSON.parse(content) as Host);

/** Whether this browser has a session of the program around the hub; undefined if the hub cannot be reached. */
export async function hasSession(): Promise<boolean | undefined> {
  if (host?.session !== true) return false;
  try {
    const response = await fetch(`${basePath}/auth/session`);
    return response.ok ? ((await response.json()) as { session: boolean }).session : undefined;
  } catch {
    return undefined;
  }
}
