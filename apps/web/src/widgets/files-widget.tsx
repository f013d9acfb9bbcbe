import type { QuestionOf } from "@askbox/core";
import { later } from "../ui/later.tsx";
import { describedBy, type WidgetProps } from "./widget.ts";

const Attachments = later(async () => (await import("../attach/attachments.tsx")).Attachments);

/** Files as the answer: picked, dropped or pasted. */
export function FilesWidget({ question, field, form, error, errorId, hintId }: WidgetProps<QuestionOf<"file">>) {
  return <Attachments question={question} field={field} form={form} describedBy={describedBy(hintId, error && errorId)} />;
}
