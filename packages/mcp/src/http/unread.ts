/** The maximum number of messages and bytes buffered for a client that does not read a stream; beyond that the stream is closed. */
export const maxUnread = { messages: 1_000, bytes: 4_194_304 };
/** The last thing such a client reads, if it continues to read. */
export const unreadComment = ": closed, since too much of this stream was not read; open another\n\n";

/** The response with a limit on its buffer: the SDK's streams buffer without one. A cut stream fails after `unreadComment`. */
export function withBound(response: Response): Response {
  const { status, headers, body } = response;
  return body === null ? response : new Response(bounded(body), { status, headers });
}

function bounded(source: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  const queue: Uint8Array[] = [];
  let bytes = 0;
  let end: "whole" | "unread" | Error | undefined;
  let wake = () => {};
  const readAll = async (): Promise<void> => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (queue.length >= maxUnread.messages || bytes >= maxUnread.bytes) {
        end = "unread";
        queue.splice(0, queue.length, new TextEncoder().encode(unreadComment));
        return reader.cancel();
      }
      queue.push(next.value);
      bytes += next.value.length;
      wake();
    }
    end = "whole";
  };
  const failed = (error: unknown) => {
    end ??= error instanceof Error ? error : new Error(String(error));
  };
  void readAll()
    .catch(failed)
    .then(() => wake());
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        while (queue.length === 0 && end === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        const chunk = queue.shift();
        bytes -= chunk?.length ?? 0;
        if (chunk !== undefined) return controller.enqueue(chunk);
        if (end === "whole") return controller.close();
        controller.error(end instanceof Error ? end : new Error("The client does not read the stream."));
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
