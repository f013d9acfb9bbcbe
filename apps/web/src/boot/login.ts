import { loginKeyText } from "@askbox/wire";
import { basePath } from "../base-path.ts";
import { importKey, loadLogin, saveLogin } from "./stored-login.ts";

type LoginResult = "ok" | "refused" | "failed";

/** Exchanges a one-time code for a login, and stores only its key. */
export async function logIn(code: string): Promise<LoginResult> {
  try {
    const response = await fetch(`${basePath}/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code, device: deviceName(navigator.userAgent) }),
    });
    // Only these mean that the code itself is invalid.
    if (!response.ok) return response.status === 401 || response.status === 410 ? "refused" : "failed";
    const { secret, hub, device } = (await response.json()) as { secret: string; hub: string; device: { id: string } };
    const former = await loadLogin();
    await saveLogin({ id: device.id, hub, key: await importKey(loginKeyText(hub, secret)), former: former?.id });
    return "ok";
  } catch {
    return "failed";
  }
}

/** A readable name of this browser for the list of devices. */
function deviceName(userAgent: string): string {
  const find = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = find([
    [/Edg\//, "Edge"],
    [/OPR\//, "Opera"],
    [/Firefox|FxiOS/, "Firefox"],
    [/Chrome|CriOS/, "Chrome"],
    [/Safari/, "Safari"],
  ]);
  const system = find([
    [/iPhone/, "iPhone"],
    [/iPad/, "iPad"],
    [/Android/, "Android"],
    [/Mac OS X/, "macOS"],
    [/Windows/, "Windows"],
    [/Linux/, "Linux"],
  ]);
  return [browser ?? "Browser", ...(system === undefined ? [] : [system])].join(" on ");
}
