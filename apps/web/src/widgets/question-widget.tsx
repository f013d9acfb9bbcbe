import { ChoiceWidget } from "./choice-widget.tsx";
import { ConfirmWidget } from "./confirm-widget.tsx";
import { TextWidget } from "./text-widget.tsx";
import type { WidgetProps } from "./widget.ts";

/** The widget of a question's type. */
export function QuestionWidget({ question, ...rest }: WidgetProps) {
  switch (question.type) {
    case "text":
      return <TextWidget question={question} {...rest} />;
    case "select":
    case "multi-select":
      return <ChoiceWidget question={question} {...rest} />;
    case "confirm":
      return <ConfirmWidget question={question} {...rest} />;
  }
}
