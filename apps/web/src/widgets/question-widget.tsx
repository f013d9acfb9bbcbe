/** The widget of a question, by its type. */
import type { QuestionOf } from "@askbox/core";
import { traitsOf, type Widget } from "@askbox/core/questions";
import type { ComponentType } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { later } from "../ui/later.tsx";
import { ApprovalWidget } from "./approval-widget.tsx";
import { ChoiceWidget, ConfirmWidget, RatingWidget } from "./choice-widget.tsx";
import { DocumentWidget } from "./document-widget.tsx";
import { QuestionContext } from "./option.tsx";
import { RankingWidget } from "./ranking-widget.tsx";
import { DateWidget, LineWidget, TextWidget } from "./text-widget.tsx";
import { describedBy, type WidgetProps } from "./widget.ts";

export function QuestionWidget(props: WidgetProps) {
  const Drawn = widgets[traitsOf(props.question).widget] as ComponentType<WidgetProps>;
  const { question, form } = props;
  return (
    <QuestionContext value={{ sessionId: form.getState().session.id, question }}>
      <Drawn {...props} />
    </QuestionContext>
  );
}

/** The component for each widget. A type names a widget that fits its fields, which this table can't express. */
const widgets = {
  lines: TextWidget,
  line: LineWidget,
  date: DateWidget,
  options: ChoiceWidget,
  "yes-no": ConfirmWidget,
  scale: RatingWidget,
  order: RankingWidget,
  approval: ApprovalWidget,
  document: DocumentWidget,
  files: FilesWidget,
  notice: UnknownWidget,
} satisfies Record<Widget, ComponentType<never>>;

const Attachments = later(async () => (await import("../attach/attachments.tsx")).Attachments);

/** Files as the answer: picked, dropped or pasted. */
function FilesWidget({ question, field, form, error, errorId, hintId }: WidgetProps<QuestionOf<"file">>) {
  return <Attachments question={question} field={field} form={form} describedBy={describedBy(hintId, error && errorId)} />;
}

/** A question of a type that only a newer askbox has. */
function UnknownWidget() {
  const t = useTranslate();
  return <p className="notice">{t("question.unknown")}</p>;
}
