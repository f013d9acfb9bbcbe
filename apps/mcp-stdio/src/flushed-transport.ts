import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

/**
 * The SDK's stdio transport, except that a message counts as sent only when the system has accepted it. The SDK's own resolves as soon as
 * the stream has it, so an answer written to a client that has just died would count as delivered.
 */
export class FlushedStdioTransport extends StdioServerTransport {
  readonly #output: Writable;
  #open = true;

  constructor(input: Readable, output: Writable) {
    super(input, output);
    this.#output = output;
  }

  override send(message: JSONRPCMessage): Promise<void> {
    if (!this.#open) return Promise.reject(new Error("The client has closed the stream."));
    return new Promise((resolve, reject) => {
      this.#output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  override async close(): Promise<void> {
    this.#open = false;
    await super.close();
  }
}
