interface HttpLogin {
  status: number;
  cookie: string;
  secret: string;
  /** Both halves, as sent by a program. */
  headers: Record<string, string>;
  list(): Promise<{ id: string; name: string; current: boolean }[]>;
}

/** Logs in like a program, which stores both halves of the login itself. */
export async function logInByHttp(url: string, link: string): Promise<HttpLogin> {
  const code = new URLSearchParams(new URL(link).hash.slice(1)).get("login");
  const answer = await fetch(`${url}/auth/login`, { method: "POST", body: JSON.stringify({ code, device: "A program" }) });
  const { secret } = (await answer.json()) as { secret: string };
  const [cookie = ""] = (answer.headers.getSetCookie()[0] ?? "").split(";");
  const headers = { cookie, authorization: `Bearer ${secret}` };
  return {
    status: answer.status,
    cookie,
    secret,
    headers,
    async list() {
      const read: unknown = await (await fetch(`${url}/auth/devices`, { headers })).json();
      return (read as { items: { id: string; name: string; current: boolean }[] }).items;
    },
  };
}
