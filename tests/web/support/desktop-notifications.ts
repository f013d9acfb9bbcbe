import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A notification on the screen. */
export interface Shown {
  id: number;
  title: string;
  body: string;
  /** The labels of the page's own buttons. */
  buttons: string[];
}

const service = "org.freedesktop.Notifications";
/** The key of a tap. */
const tap = "default";
const types = { call: 1, reply: 2, error: 3, signal: 4 } as const;
/** Names of the bus itself (D-Bus specification, "Message Bus Messages"), and the types of what they return here. */
const fields = { path: 1, interface: 2, member: 3, errorName: 4, replySerial: 5, destination: 6, sender: 7, signature: 8 } as const;

/** Little-endian values of the D-Bus specification, "Marshaling". */
class Writer {
  #bytes: number[] = [];
  get length(): number {
    return this.#bytes.length;
  }
  align(size: number): this {
    while (this.#bytes.length % size !== 0) this.#bytes.push(0);
    return this;
  }
  raw(bytes: Iterable<number>): this {
    this.#bytes.push(...bytes);
    return this;
  }
  u32(value: number): this {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return this.align(4).raw(bytes);
  }
  text(value: string): this {
    return this.u32(Buffer.byteLength(value)).raw(Buffer.from(value)).raw([0]);
  }
  signature(value: string): this {
    return this.raw([value.length, ...Buffer.from(value), 0]);
  }
  texts(values: readonly string[]): this {
    const inner = new Writer();
    for (const value of values) inner.text(value);
    return this.u32(inner.length).raw(inner.bytes());
  }
  bytes(): Buffer {
    return Buffer.from(this.#bytes);
  }
}

class Reader {
  at = 0;
  readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
  align(size: number): this {
    this.at = Math.ceil(this.at / size) * size;
    return this;
  }
  byte(): number {
    this.at += 1;
    return this.bytes.readUInt8(this.at - 1);
  }
  u32(): number {
    this.align(4).at += 4;
    return this.bytes.readUInt32LE(this.at - 4);
  }
  text(length = this.u32()): string {
    const from = this.at;
    this.at += length + 1;
    return this.bytes.toString("utf8", from, from + length);
  }
  texts(): string[] {
    const end = this.u32() + this.at;
    const values: string[] = [];
    while (this.at < end) values.push(this.text());
    return values;
  }
}

interface Message {
  type: number;
  serial: number;
  path: string;
  member: string;
  destination: string;
  body: Reader;
}

/** The first message, and its length; undefined if it isn't whole. */
function messageIn(bytes: Buffer): { message: Message; size: number } | undefined {
  if (bytes.length < 16) return undefined;
  const begin = Math.ceil((16 + bytes.readUInt32LE(12)) / 8) * 8;
  const size = begin + bytes.readUInt32LE(4);
  if (bytes.length < size) return undefined;
  const head = new Reader(bytes.subarray(0, begin));
  const type = bytes.readUInt8(1);
  const end = 16 + bytes.readUInt32LE(12);
  const found = new Map<number, string | number>();
  for (head.at = 16; head.at < end; ) {
    const code = head.align(8).byte();
    const kind = head.text(head.byte());
    found.set(code, kind === "u" ? head.u32() : kind === "g" ? head.text(head.byte()) : head.text());
  }
  const text = (code: number) => String(found.get(code) ?? "");
  const message = {
    type,
    serial: bytes.readUInt32LE(8),
    path: text(fields.path),
    member: text(fields.member),
    destination: text(fields.destination),
    body: new Reader(bytes.subarray(begin, size)),
  };
  return { message, size };
}

/** A bus with nothing but a notification service of the desktop (Desktop Notifications Specification), on which a person presses and taps. */
export async function desktopNotifications() {
  const folder = mkdtempSync(join(tmpdir(), "askbox-bus-"));
  const path = join(folder, "bus");
  const sockets = new Set<Socket>();
  const shown = new Map<number, Shown>();
  /** The keys of a notification's buttons, by their labels. */
  const pressed = new Map<number, ReadonlyMap<string, string>>();
  /** Every notification that was ever on the screen. */
  const all: Shown[] = [];
  let [serial, names] = [0, 0];

  const send = (
    socket: Socket,
    type: number,
    headers: readonly [number, "s" | "o" | "g" | "u", string | number][],
    body = new Writer(),
  ) => {
    serial += 1;
    const inner = new Writer();
    for (const [code, kind, value] of headers) {
      inner.align(8).raw([code]).signature(kind);
      if (kind === "u") inner.u32(Number(value));
      else if (kind === "g") inner.signature(String(value));
      else inner.text(String(value));
    }
    const head = new Writer().raw([0x6c, type, 1, 1]).u32(body.length).u32(serial).u32(inner.length).raw(inner.bytes()).align(8);
    socket.write(Buffer.concat([head.bytes(), body.bytes()]));
  };
  const signal = (member: string, signature: string, body: Writer) => {
    for (const socket of sockets) {
      const headers: Parameters<typeof send>[2] = [
        [fields.path, "o", "/org/freedesktop/Notifications"],
        [fields.interface, "s", service],
        [fields.member, "s", member],
        [fields.sender, "s", ":1.0"],
        [fields.signature, "g", signature],
      ];
      send(socket, types.signal, headers, body);
    }
  };
  /** What a method returns; undefined if there is none of that name. */
  const returned = ({ member, body }: Message): [signature: string, body: Writer] | undefined => {
    switch (member) {
      case "Hello":
        names += 1;
        return ["s", new Writer().text(`:1.${names}`)];
      case "AddMatch":
      case "RemoveMatch":
        return ["", new Writer()];
      case "NameHasOwner":
        return ["b", new Writer().u32(body.text() === service ? 1 : 0)];
      case "GetNameOwner":
        return body.text() === service ? ["s", new Writer().text(":1.0")] : undefined;
      case "ListActivatableNames":
      case "ListNames":
        return ["as", new Writer().texts([service])];
      case "GetCapabilities":
        return ["as", new Writer().texts(["actions", "body", "persistence", "x-kde-origin-name"])];
      case "GetServerInformation": {
        const writer = new Writer();
        for (const text of ["askbox", "askbox", "1", "1.2"]) writer.text(text);
        return ["ssss", writer];
      }
      case "Notify": {
        body.text();
        const id = body.u32() || all.length + 1;
        body.text();
        const [title, text, actions] = [body.text(), body.text(), body.texts()];
        const keys = new Map(actions.flatMap((key, index) => (index % 2 === 0 ? [[actions[index + 1] ?? "", key] as const] : [])));
        const buttons = [...keys].flatMap(([label, key]) => (/^\d+$/.test(key) ? [label] : []));
        all.push({ id, title, body: text, buttons });
        shown.set(id, { id, title, body: text, buttons });
        pressed.set(id, keys);
        return ["u", new Writer().u32(id)];
      }
      case "CloseNotification": {
        const id = body.u32();
        // 3: closed by a call.
        if (shown.delete(id)) setImmediate(() => signal("NotificationClosed", "uu", new Writer().u32(id).u32(3)));
        return ["", new Writer()];
      }
      default:
        return undefined;
    }
  };
  const take = (socket: Socket, message: Message) => {
    if (message.type !== types.call) return;
    const back = returned(message);
    const headers: Parameters<typeof send>[2] = [
      [fields.replySerial, "u", message.serial],
      [fields.sender, "s", message.destination === service ? ":1.0" : message.destination],
    ];
    if (back === undefined) send(socket, types.error, [...headers, [fields.errorName, "s", "org.freedesktop.DBus.Error.ServiceUnknown"]]);
    else send(socket, types.reply, back[0] === "" ? headers : [...headers, [fields.signature, "g", back[0]]], back[1]);
  };
  const server = createServer((socket) => {
    let bytes: Buffer = Buffer.alloc(0);
    let isBegun = false;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      while (!isBegun && bytes.includes("\r\n")) {
        const end = bytes.indexOf("\r\n");
        const line = bytes.toString("latin1", 0, end).replace(/^\0/, "");
        bytes = bytes.subarray(end + 2);
        if (line === "BEGIN") isBegun = true;
        else if (line.startsWith("AUTH EXTERNAL")) socket.write(`OK ${"0".repeat(32)}\r\n`);
        else if (line.startsWith("AUTH")) socket.write("REJECTED EXTERNAL\r\n");
        else socket.write("ERROR\r\n");
      }
      for (let next = isBegun ? messageIn(bytes) : undefined; next !== undefined; next = messageIn(bytes)) {
        bytes = bytes.subarray(next.size);
        take(socket, next.message);
      }
    });
  }).listen(path);
  await once(server, "listening");
  return {
    env: { DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` },
    all: (): Shown[] => all,
    shown: (): Shown[] => [...shown.values()],
    /** Presses a button by its label; without one, taps the notification. */
    press(label?: string) {
      const [{ id } = { id: 0 }] = shown.values();
      const key = label === undefined ? tap : pressed.get(id)?.get(label);
      if (key === undefined) throw new Error(`No notification has the button ${label}.`);
      signal("ActionInvoked", "us", new Writer().u32(id).text(key));
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
