import type { TextareaHTMLAttributes } from "react";

/** A text that grows with what is typed, up to a part of the screen, and stays in sight. Enter makes a new line. */
export function TextArea({ className = "", ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <textarea
      className={`text ${className}`}
      dir="auto"
      autoComplete="off"
      spellCheck
      onInput={({ currentTarget }) => currentTarget.scrollIntoView({ block: "nearest" })}
      {...rest}
    />
  );
}
