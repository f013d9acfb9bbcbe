import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { type PictureProtocol, type ViewedPicture, viewPictures } from "../src/terminal/pictures.ts";

const png = Buffer.alloc(60);
Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").copy(png);
png.writeUInt32BE(200, 16);
png.writeUInt32BE(200, 20);

function opened(pictures: ViewedPicture[], protocol: PictureProtocol = "kitty", signal = new AbortController().signal) {
  const modes: boolean[] = [];
  const typed: string[] = [];
  const stdin = Object.assign(new EventEmitter(), {
    setRawMode: (on: boolean) => modes.push(on),
    ref() {},
    read: () => typed.shift() ?? null,
  });
  const stdout = Object.assign(new EventEmitter(), { columns: 40, rows: 12 });
  let output = "";
  const write = (text: string) => {
    output += text;
    return true;
  };
  const done = viewPictures(pictures, {
    protocol,
    write,
    signal,
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const taken = () => {
    const text = output;
    output = "";
    return text;
  };
  const press = (keys: string) => {
    typed.push(keys);
    stdin.emit("readable");
  };
  return { done, stdin, stdout, modes, settle, taken, press };
}

const two: ViewedPicture[] = [
  { caption: "Picture: a.png\u001b[31m, 200 × 200", load: async () => png },
  { caption: "Picture: b.png", load: () => Promise.reject(new Error("It is no longer\u0007 stored.")) },
];

test("a picture has a screen of its own, which is left without a trace", async () => {
  const { done, press, taken, settle, modes, stdin } = opened(two);
  await settle();
  const shown = taken();
  expect(shown.startsWith("\u001b[?1049h\u001b[?25l\u001b[16t")).toBe(true);
  expect(shown).toContain("1 of 2: Picture: a.png␛, 200 × 200");
  expect(shown).toContain("\u001b[12;1Hesc back · n, p others · v browser");
  expect(shown).toContain(`\u001b[2;12H\u001b_Ga=T,f=100,i=4217,c=18,r=9,C=1,q=2,m=0;${png.toString("base64")}\u001b\\`);
  expect(shown).not.toContain("\u001b[31m");
  press("\u001b");
  expect(await done).toBe("closed");
  expect(taken()).toBe("\u001b_Ga=d,d=I,i=4217,q=2\u001b\\\u001b[2J\u001b[H\u001b[?25h\u001b[?1049l");
  expect(modes).toEqual([true, false]);
  expect(stdin.listenerCount("readable")).toBe(0);
});

test("another picture replaces the first, and one that isn't there says why", async () => {
  const { done, press, taken, settle } = opened(two);
  await settle();
  taken();
  press("n");
  await settle();
  const second = taken();
  expect(second).toContain("\u001b_Ga=d,d=I,i=4217,q=2\u001b\\");
  expect(second).toContain("2 of 2: Picture: b.png");
  expect(second).toContain("It is no longer␇ stored.");
  expect(second).not.toContain("a=T");
  press("nn\u001b[C");
  expect(taken()).toContain("2 of 2");
  press("\u001b[D");
  await settle();
  expect(taken()).toContain("a=T");
  press("v");
  expect(await done).toBe("browser");
});

test("a window that changes and the size of a cell change the picture's place", async () => {
  const { done, press, taken, settle, stdout } = opened(two, "iterm");
  await settle();
  expect(taken()).toContain("width=18;height=9;");
  press("\u001b[6;10;10t");
  expect(taken()).toContain("width=9;height=9;");
  Object.assign(stdout, { columns: 20, rows: 6 });
  stdout.emit("resize");
  expect(taken()).toContain("width=3;height=3;");
  press("q");
  await done;
});

test("what is no PNG isn't written", async () => {
  const { done, press, taken, settle } = opened([{ caption: "x", load: async () => Buffer.from("\u001b[31mGIF89a") }]);
  await settle();
  expect(taken()).toContain("The hub sent something else than a PNG.");
  press("\u0003");
  await done;
});

test("a picture that comes after it is closed is not drawn", async () => {
  const { promise, resolve } = Promise.withResolvers<Uint8Array>();
  const closing = new AbortController();
  const { done, taken, settle } = opened([{ caption: "x", load: () => promise }], "kitty", closing.signal);
  closing.abort();
  await done;
  taken();
  resolve(png);
  await settle();
  expect(taken()).toBe("");
});
