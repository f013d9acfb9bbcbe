/** The part of the platform's `AbortSignal` that the core uses; compatible with every runtime. */
export interface Signal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}
