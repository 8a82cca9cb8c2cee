// Changes in short words: facts, no verdicts.

import type { State } from "../../generated/protocol";
import { describe } from "../describe";
import * as dom from "../dom";
import { roleOf, TRANSPARENT } from "../tree/roles";
import { quote } from "../words";
import { textNow } from "./text";

/** Opposites are told as a pair. */
const PAIRS: readonly (readonly State[])[] = [["checked", "unchecked", "mixed"], ["pressed", "unpressed"], ["expanded", "collapsed"]];
/** Not the page's answer to an action. */
const OWN: ReadonlySet<State> = new Set<State>(["focused", "clickable", "file"]);

/** States that a change of counts, as one string. */
export function countedStates(states: readonly State[]): string {
  return states.filter((state) => !OWN.has(state)).join(" ");
}

/** `unchecked → checked`, `now disabled`, `no longer busy`. */
export function stateChange(before: readonly string[], now: readonly string[]): string {
  const said: string[] = [];
  const told = new Set<string>();
  for (const group of PAIRS) {
    const words: readonly string[] = group;
    const was = before.find((state) => words.includes(state));
    const is = now.find((state) => words.includes(state));
    if (was === is) continue;
    for (const word of words) told.add(word);
    said.push(was === undefined ? `now ${is ?? ""}` : is === undefined ? `no longer ${was}` : `${was} → ${is}`);
  }
  for (const state of now) if (!before.includes(state) && !told.has(state)) said.push(`now ${state}`);
  for (const state of before) if (!now.includes(state) && !told.has(state)) said.push(`no longer ${state}`);
  return said.join(", ");
}

/** A part of the page that came or went. */
export function part(element: Element): string {
  const described = describe(element);
  const text = described.name === "" ? textNow(element) : described.name;
  const word = TRANSPARENT.has(roleOf(element)) && dom.getAttribute(element, "aria-live") === null ? (text === "" ? dom.localName(element) : "") : described.role;
  return [word, text === "" ? "" : quote(text, 80)].filter((piece) => piece !== "").join(" ");
}

/** Class tokens and attributes that only mirror hover, focus and the kind of input. */
const MIRRORS = /focus|hover|ripple|tooltip|describedby|mouse|pointer|keyboard|whatinput|what-input|modality|what-intent/i;

/** Parts that only mirror our own input: the wave of a pressed button, the tooltip of a hovered one. */
export function isDecoration(element: Element): boolean {
  if (roleOf(element) === "tooltip") return true;
  const marks = `${dom.localName(element)} ${dom.getAttribute(element, "class") ?? ""}`;
  return /ripple|tooltip|(?:^|[\s_-])(?:wave|waves|ink|touch-target)(?:$|[\s_-])/i.test(marks) && (textNow(element) === "" || /tooltip/i.test(marks));
}

/** Whether an attribute change only mirrors our own input. */
export function mirrorsInput(name: string, before: string | null, now: string | null): boolean {
  if (MIRRORS.test(name)) return true;
  if (name !== "class") return false;
  const a = new Set((before ?? "").split(/\s+/).filter(Boolean));
  const b = new Set((now ?? "").split(/\s+/).filter(Boolean));
  const changed = [...[...a].filter((word) => !b.has(word)), ...[...b].filter((word) => !a.has(word))];
  return changed.length > 0 && changed.every((word) => MIRRORS.test(word));
}
