import { traitsOf, type Widget } from "@askbox/core/questions";
import type { ComponentType } from "react";
import { ApprovalWidget } from "./approval-widget.tsx";
import { ChoiceWidget } from "./choice-widget.tsx";
import { ConfirmWidget } from "./confirm-widget.tsx";
import { DateWidget } from "./date-widget.tsx";
import { DocumentWidget } from "./document-widget.tsx";
import { FilesWidget } from "./files-widget.tsx";
import { LineWidget } from "./line-widget.tsx";
import { QuestionContext } from "./option.tsx";
import { RankingWidget } from "./ranking-widget.tsx";
import { RatingWidget } from "./rating-widget.tsx";
import { TextWidget } from "./text-widget.tsx";
import { UnknownWidget } from "./unknown-widget.tsx";
import type { WidgetProps } from "./widget.ts";

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

export function QuestionWidget(props: WidgetProps) {
  const Drawn = widgets[traitsOf(props.question).widget] as ComponentType<WidgetProps>;
  const { question, form } = props;
  return (
    <QuestionContext value={{ sessionId: form.getState().session.id, question }}>
      <Drawn {...props} />
    </QuestionContext>
  );
}
