/** The part of the platform's `AbortSignal` that the core uses; every runtime's own signal fits. */
export interface Signal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}
