import type { InputHTMLAttributes } from "react";

/** One line of text without anything that a browser would change in it. */
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
