// What a press on an element activates.

import * as dom from "../dom";
import { marked } from "./clickable";
import { composedParent } from "./composed";
import { roleOf } from "./roles";

/** What is pressed to make something happen. */
export const PRESSED = new Set(["button", "link", "menuitem", "slider"]);
/** What is pressed to choose, or to write into: nothing is sent by it. */
const CHOOSES = new Set(["checkbox", "radio", "switch", "option", "tab", "textbox", "searchbox", "combobox", "spinbutton", "listbox", "menuitemcheckbox", "menuitemradio", "treeitem", "gridcell"]);

/** The control around a place, or that of the label around it; null: one that only chooses or is written into; undefined: none. */
export function controlAt(start: Element): Element | null | undefined {
  for (let at: Element | undefined = start; at !== undefined; at = composedParent(at)) {
    if (at instanceof HTMLLabelElement && at.control !== null) return CHOOSES.has(roleOf(at.control)) ? null : at.control;
    const role = roleOf(at);
    if (CHOOSES.has(role)) return null;
    if (PRESSED.has(role) || dom.localName(at) === "summary" || marked(at)) return at;
  }
  return undefined;
}
