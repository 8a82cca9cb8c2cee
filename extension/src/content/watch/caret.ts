// Where keys go: the focused element, and caret or selection in it. No mutation record tells that it moved.

import * as dom from "../dom";
import { focusedElement } from "../tree/composed";
import { isSecret } from "../tree/secret";
import { quote } from "../words";
import { part } from "./describe";

/** As of one moment. */
export interface Caret {
  focus: Element | undefined;
  /** Ends of the selection: what they stand in, and where. */
  ends: readonly [Node | null, number, Node | null, number];
  /** Characters selected; null where they must not be told. */
  text: string | null;
  length: number;
}

export function caretNow(): Caret {
  const focus = focusedElement();
  if (focus instanceof HTMLInputElement || focus instanceof HTMLTextAreaElement) {
    // Numbers, dates and the like tell none.
    const start = focus.selectionStart ?? 0;
    const end = focus.selectionEnd ?? 0;
    return { focus, ends: [focus, start, focus, end], text: isSecret(focus) ? null : focus.value.slice(start, end), length: end - start };
  }
  const selection = document.getSelection();
  if (selection === null) return { focus, ends: [null, 0, null, 0], text: "", length: 0 };
  const text = selection.toString();
  return { focus, ends: [selection.anchorNode, selection.anchorOffset, selection.focusNode, selection.focusOffset], text, length: text.length };
}

export function sameCaret(a: Caret, b: Caret): boolean {
  return a.focus === b.focus && a.ends.every((end, at) => end === b.ends[at]);
}

/** `focus → button "Save"`, `selected "hello"`, `caret 5 → 4`. */
export function caretChange(was: Caret, is: Caret): string {
  if (was.focus !== is.focus) return is.focus === undefined ? "focus left" : `focus → ${part(is.focus)}`;
  if (is.length > 0) return is.text === null ? `selected ${is.length} characters` : `selected ${quote(is.text, 80)}`;
  const [node, from] = was.ends;
  const [now, to] = is.ends;
  if (was.length > 0) return "selection gone";
  return node === now ? `caret ${from} → ${to}` : `caret → ${now === null ? "nowhere" : quote(dom.textContent(now) ?? "", 40)}`;
}
