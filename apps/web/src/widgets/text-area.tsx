import type { TextareaHTMLAttributes } from "react";

/** A text field that grows with its content, up to part of the screen, and stays in view. Enter adds a line. */
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
