interface SseEvent {
  id?: string;
  event?: string;
  data: string;
}

/** A stream of server-sent events, read one by one. */
export interface SseStream {
  /** The next event, skipping comments. Throws if the stream ends first. */
  event(): Promise<SseEvent>;
  /** The next event with data, as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests check what they read from a message.
  message(): Promise<any>;
  /** Everything received so far, as text. */
  text(): string;
}

export function sseStream(response: Response): SseStream {
  if (response.body === null) throw new Error("The response has no body.");
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let seen = "";
  let rest = "";
  const block = async (): Promise<string> => {
    for (;;) {
      const end = rest.indexOf("\n\n");
      if (end >= 0) {
        const found = rest.slice(0, end);
        rest = rest.slice(end + 2);
        return found;
      }
      const { done, value } = await reader.read();
      if (done) throw new Error(`The stream has ended after ${JSON.stringify(seen)}.`);
      seen += value;
      rest += value;
    }
  };
  const event = async (): Promise<SseEvent> => {
    for (;;) {
      const lines = (await block()).split("\n").filter((line) => !line.startsWith(":"));
      // These alone are no event.
      if (lines.every((line) => line.startsWith("retry: "))) continue;
      const fields = Object.fromEntries(lines.map((line) => [line.split(": ")[0] ?? "", line.slice(line.indexOf(": ") + 2)]));
      return { data: "", ...fields };
    }
  };
  return {
    event,
    async message() {
      for (;;) {
        const { data } = await event();
        if (data !== "") return JSON.parse(data);
      }
    },
    text: () => seen,
  };
}
