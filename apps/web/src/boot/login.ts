const secretKey = "askbox.secret";

export type LoginResult = "ok" | "none" | "refused" | "failed";

/** The half of the login that this origin's storage keeps; the other is a cookie that scripts cannot read. */
export function storedSecret(): string | undefined {
  return localStorage.getItem(secretKey) ?? undefined;
}

export function forgetSecret(): void {
  localStorage.removeItem(secretKey);
}

/** Takes a login code out of the URL, so that neither history nor a shared link has it. */
export function takeLoginCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get("login");
  if (code === null) return undefined;
  history.replaceState(null, "", location.pathname + location.search);
  return code;
}

/** Swaps a one-time code for the two-part login. */
export async function logIn(code: string): Promise<LoginResult> {
  try {
    const response = await fetch("/auth/login", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code, device: deviceName(navigator.userAgent) }),
    });
    // Only these say that the code itself is no good.
    if (!response.ok) return response.status === 401 || response.status === 410 ? "refused" : "failed";
    const { secret } = (await response.json()) as { secret: string };
    localStorage.setItem(secretKey, secret);
    return "ok";
  } catch {
    return "failed";
  }
}

/** What a person would call this browser in a list of devices. */
export function deviceName(userAgent: string): string {
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
