import { terminalLine } from "@askbox/terminal-text";
import { useState } from "react";
import { useTranslate } from "../i18n/language.tsx";

/** Copies a text, and says whether the browser allowed it. */
export function CopyButton({ text, label }: { text: string | (() => string); label?: string }) {
  const t = useTranslate();
  const [copied, setCopied] = useState<boolean>();
  return (
    <>
      <button
        type="button"
        className="button small"
        onClick={async () => setCopied(await copyText(typeof text === "string" ? text : text()))}
      >
        {label ?? t("unsent.copy")}
        {typeof text === "string" && <span className="visually-hidden">: {terminalLine(text)}</span>}
      </button>
      <span className="quiet" role="status">
        {copied !== undefined && t(copied ? "unsent.copied" : "unsent.refused")}
      </span>
    </>
  );
}

/** Browsers allow it only over HTTPS or from this machine; the text can be selected anyway. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
