import type { InputHTMLAttributes } from "react";

/** A single-line text field without corrections by the browser. */
export function LineInput({ className = "", ...rest }: InputHTMLAttributes<HTMLInputElement>) {
  return (
    <input
      type="text"
      className={`text line ${className}`}
      dir="auto"
      autoComplete="off"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...rest}
    />
  );
}
