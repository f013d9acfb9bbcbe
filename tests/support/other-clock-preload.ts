const { ahead, factor } = JSON.parse(process.env["TEST_CLOCK"] ?? "") as { ahead: number; factor: number };

const { now } = Date;
Date.now = () => now() + ahead;

const { setTimeout } = globalThis;
Object.assign(globalThis, {
  setTimeout: (callback: (...args: unknown[]) => void, delay = 0, ...args: unknown[]) => setTimeout(callback, delay / factor, ...args),
});

export {};
