// What a control says as its value, inside a name.

import * as dom from "../dom";

/** Value of a control as one reads it out; `undefined` when only its content can tell. */
export function spokenValue(element: Element): string | undefined {
  if (element instanceof HTMLSelectElement) return [...element.selectedOptions].map((option) => option.label).join(" ");
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return element.value;
  if (element instanceof HTMLMeterElement) return String(element.value);
  if (element instanceof HTMLProgressElement) return element.hasAttribute("value") ? String(element.value) : "";
  return dom.getAttribute(element, "aria-valuetext") ?? dom.getAttribute(element, "aria-valuenow") ?? resting(element);
}

/** A range without a value rests in the middle (ARIA 1.2, implicit values). */
function resting(element: Element): string | undefined {
  switch (dom.getAttribute(element, "role")) {
    case "slider": case "scrollbar": {
      const bound = (name: string, otherwise: number): number => Number.parseFloat(dom.getAttribute(element, name) ?? "") || otherwise;
      const least = bound("aria-valuemin", 0);
      return String(least + (bound("aria-valuemax", 100) - least) / 2);
    }
    case "spinbutton": case "meter": return "0";
    case "progressbar": return "";
    default: return undefined;
  }
}
