// Everything that must hold before an action: identity, state, visibility, rest, and a point where the target is hit. Dispatches nothing.

import type { Described, Refusal } from "../../generated/protocol";
import type { Deed, MoneyGate, MoneyHit, Point, Prepared } from "../../shared/pageCalls";
import { describe, describeTarget, factsOf, identity, isRich, leavesFrame, meaningful, opensTab } from "../describe";
import * as dom from "../dom";
import type { Page } from "../page";
import { cut } from "../words";
import { composedParent, focusedElement, holds, nearest } from "../tree/composed";
import { inertBy, isShown, whyHidden } from "../tree/visibility";
import { badValue, notAField, notEditable } from "./editable";
import { whetherCheck } from "./check";
import { whetherSelect } from "./select";
import { fileInputOf, whetherUpload } from "./upload";
import { boxesOf, centreInView, elementAt, pointsOf, reaches } from "./hit";
import type { Rect } from "./hit";
import { moneyAt, submitterOf } from "./money";
import { pause } from "./pause";

/** Longest wait for a moving target. */
const STILL_MS = 500;
/** Between two readings: more than one frame. */
const FRAME_MS = 20;
/** Changes of the page within this time that look like steps of a movement. */
const STEPS = 3;
const STEPS_MS = 150;

/** The node a number stands for, if it still is what it was shown as. */
export function resolve(page: Page, node: number): Element | Refusal {
  const entry = page.refs.entry(node);
  if (entry === undefined) return { reason: "removed", was: { role: "node", name: `number ${node}, never shown` } };
  const was: Described = { role: entry.role, name: cut(entry.name, 80), doc: page.doc, node };
  const element = entry.element;
  if (element === undefined || !dom.isConnected(element) || dom.ownerDocument(element) !== document) return { reason: "removed", was };
  const now = identity(element, entry.role);
  if (now.role === entry.role && now.name === entry.name) return element;
  // What was never clickable was shown without the text of its inside.
  const plain = identity(element);
  if (plain.role === entry.role && plain.name === entry.name) return element;
  const number = page.refs.number(element, now.role, now.name);
  return { reason: "changed", was, now: { role: now.role, name: cut(now.name, 80), doc: page.doc, node: number } };
}

/** Checks and readies a node for an action. `at`: the point that is meant. `options`: what is to be chosen, or the text to be typed. `calm`: what
 * moves now is our own doing. `still`: nothing may be scrolled. */
export async function prepare(page: Page, node: number, action: Deed, more: { at?: Point; options?: readonly string[]; calm?: boolean; still?: boolean; gate?: MoneyGate; submit?: boolean } = {}): Promise<Prepared> {
  const { at, options = [], calm = false, still = false, gate, submit = false } = more;
  const found = resolve(page, node);
  if (!(found instanceof Element)) return { kind: "refused", refusal: found };
  const element = found;
  const target = describe(element, page.refs, page.doc);
  const money = (hit: Element | undefined): { money?: MoneyHit } => {
    const pressed = action === "type" ? (submit ? [submitterOf(element)] : []) : action === "click" || action === "drag" ? [hit, element] : [];
    const found = moneyAt(page, gate, pressed);
    return found === undefined ? {} : { money: found };
  };
  const nowhere = (): Prepared => ({ kind: "ready", facts: { ...factsOf(element, page.refs, page.doc), described: describeTarget(element, page.refs, page.doc) }, point: { x: 0, y: 0 }, trustedOnly: action !== "scroll" });
  if (action === "keys" || action === "scroll") return nowhere();

  if (action === "type") {
    const instead = notAField(element);
    if (instead !== undefined) return refuse({ reason: "wrongKind", target, what: "is not a text field", instead });
  } else if (action === "check" || action === "uncheck") {
    const asked = whetherCheck(element, action === "check");
    if (asked === "already") return { kind: "already", facts: factsOf(element, page.refs, page.doc) };
    if (asked !== "press") return refuse({ reason: "wrongKind", target, ...asked });
  } else if (action === "upload") {
    const asked = whetherUpload(element, options.length);
    if (typeof asked === "object") return refuse({ reason: "wrongKind", target, ...asked });
    const input = fileInputOf(element);
    const how = input === undefined ? undefined : whyDisabled(input);
    if (how !== undefined) return refuse({ reason: "disabled", target, how });
    // Nothing is pressed: the input need not be seen.
    if (asked === "input") return nowhere();
  } else if (action === "select") {
    const asked = whetherSelect(element, options, target);
    if (asked === "already") return { kind: "already", facts: factsOf(element, page.refs, page.doc) };
    if (asked !== "choose") return refuse(asked);
  } else if (action === "click" && element instanceof HTMLOptionElement && element.closest("select") !== null) {
    return refuse({ reason: "wrongKind", target, what: "is an option of a native list", instead: "select_option with the list as its target" });
  }
  // Nothing is pressed: what the form makes of it is its own.
  if (action === "submit") return { kind: "ready", facts: factsOf(element, page.refs, page.doc), point: { x: 0, y: 0 }, trustedOnly: false };
  // A disabled control can have a tooltip that says why.
  const disabled = action === "hover" || action === "drop" ? undefined : whyDisabled(element);
  if (disabled !== undefined) return refuse({ reason: "disabled", target, how: disabled });
  if (action === "type") {
    const how = notEditable(element);
    if (how !== undefined) return refuse({ reason: "notEditable", target, how });
    const takes = options[0] === undefined ? undefined : badValue(element, options[0]);
    if (takes !== undefined) return refuse({ reason: "badValue", target, takes });
  }

  if (action === "press") return isShown(element) ? nowhere() : refuse({ reason: "notVisible", target, how: whyHidden(element) });

  if (at !== undefined) {
    // The point itself was asked for: nothing is scrolled, and what lies there now must be what lay there.
    const hit = elementAt(at);
    if (hit === undefined) return refuse({ reason: "outside", width: window.innerWidth, height: window.innerHeight });
    if (!holds(element, hit)) return refuse({ reason: "covered", target, by: describe(coverName(hit), page.refs, page.doc), inParent: false });
    return { kind: "ready", facts: factsOf(element, page.refs, page.doc, hit), point: at, trustedOnly: needsTrust(element, action), ...money(hit) };
  }

  // A control that is not shown itself is clicked through its label.
  let aim = element;
  if (!isShown(element) || boxesOf(element).length === 0) {
    const label = presses(action) ? shownLabel(element) : undefined;
    if (label === undefined) return refuse({ reason: "notVisible", target, how: isShown(element) ? "it has no size" : whyHidden(element) });
    aim = label;
  }
  const trustedOnly = needsTrust(element, action);
  if (!calm && !await stand(page, aim)) return refuse({ reason: "moving", target });
  let hit = aimAt(aim, element, still);
  if (hit.kind === "covered" && aim === element && presses(action)) {
    // A hidden input under its styled label.
    const label = shownLabel(element);
    if (label !== undefined) hit = aimAt(label, element, still);
  }
  switch (hit.kind) {
    case "at": {
      const under = elementAt(hit.point);
      return { kind: "ready", facts: factsOf(element, page.refs, page.doc, action === "click" ? under : undefined), point: hit.point, trustedOnly, ...money(under) };
    }
    case "outside": {
      // A tab that was loaded anew in the background has no size until it has been shown once.
      const how = still ? "it does not fit into the window together with what is dragged" : window.innerWidth === 0 ? "the tab has no size: Chrome has not shown it since it was loaded; tabs select shows it" : "it lies outside the page and cannot be scrolled into view";
      return refuse({ reason: "notVisible", target, how });
    }
    case "covered": {
      // What already has the focus can be typed into, whatever lies over it.
      const focused = focusedElement();
      if (action === "type" && focused !== undefined && holds(element, focused)) {
        return { kind: "ready", facts: factsOf(element, page.refs, page.doc), point: hit.point, trustedOnly, ...money(undefined) };
      }
      return refuse({ reason: "covered", target, by: describe(coverName(hit.by), page.refs, page.doc), inParent: false });
    }
  }
}

/** Goes by a press of the pointer. */
function presses(action: Deed): boolean {
  return action === "click" || action === "hover" || action === "check" || action === "uncheck";
}

function refuse(refusal: Refusal): Prepared {
  return { kind: "refused", refusal };
}

/** Why a target takes no input now. */
export function whyDisabled(element: Element): string | undefined {
  const control = nearest(element, (at) => dom.matches(at, "button,fieldset,input,optgroup,option,select,textarea")) ?? element;
  const own = control === element || dom.localName(control) === "button" ? control : element;
  if (dom.matches(own, ":disabled")) {
    const fieldset = dom.hasAttribute(own, "disabled") ? undefined : dom.closest(own, "fieldset:disabled");
    if (fieldset === undefined || fieldset === null) return "itself";
    return `fieldset "${identity(fieldset).name}"`;
  }
  for (let at: Element | undefined = element; at !== undefined; at = composedParent(at)) {
    if (dom.getAttribute(at, "aria-disabled") === "true") return at === element ? "aria-disabled" : `aria-disabled on the ${describe(at).role} around it`;
  }
  const inert = inertBy(element);
  if (inert === "modal") return "inert: a modal dialog is open over it";
  return inert;
}

function shownLabel(element: Element): Element | undefined {
  if (!("labels" in element) || !(element.labels instanceof NodeList)) return undefined;
  for (const label of element.labels) if (label instanceof Element && isShown(label) && boxesOf(label).length > 0) return label;
  return undefined;
}

/** Chrome's popup blocker and file chooser want a person's input; editors with a model of their own take nothing else. */
function needsTrust(element: Element, action: Deed): boolean {
  if (action === "type") return isRich(element);
  if (action !== "click") return false;
  if (opensTab(element) || leavesFrame(element)) return true;
  const input = element instanceof HTMLLabelElement ? element.control : element;
  return input instanceof HTMLInputElement && (input.type === "file" || input.type === "color");
}

/** Waits until the element stands still; false when it does not within the bound. */
async function stand(page: Page, element: Element): Promise<boolean> {
  if (!restless(page)) return true;
  const end = performance.now() + STILL_MS;
  let before = boxesOf(element);
  for (;;) {
    await pause(FRAME_MS);
    const now = boxesOf(element);
    if (sameBoxes(before, now)) return true;
    if (performance.now() > end) return false;
    before = now;
  }
}

/** Something in the page moves, or went on moving just now. */
function restless(page: Page): boolean {
  page.recorder.flush();
  if (page.recorder.changesWithin(STEPS_MS) >= STEPS) return true;
  return document.getAnimations().some((animation) => animation.playState === "running");
}

function sameBoxes(a: readonly Rect[], b: readonly Rect[]): boolean {
  const one = a[0];
  const two = b[0];
  if (one === undefined || two === undefined) return one === two;
  return Math.abs(one.left - two.left) < 1 && Math.abs(one.top - two.top) < 1 && Math.abs(one.right - two.right) < 1 && Math.abs(one.bottom - two.bottom) < 1;
}

type Aim = { kind: "at"; point: Point } | { kind: "covered"; by: Element; point: Point } | { kind: "outside" };

/** Brings the element into view and finds a point where it (or what stands for it) is hit. */
function aimAt(element: Element, target: Element, still: boolean): Aim {
  let covered: Aim | undefined;
  for (const block of ["nearest", "center"] as const) {
    if (!still && (block === "center" || !centreInView(boxesOf(element)))) dom.scrollIntoView(element, { block, inline: "nearest", behavior: "instant" });
    for (const point of pointsOf(boxesOf(element))) {
      const hit = elementAt(point);
      if (hit === undefined) continue;
      if (reaches(hit, target) || reaches(hit, element)) return { kind: "at", point };
      covered ??= { kind: "covered", by: hit, point };
    }
    // Sticky bars cover what is scrolled to the edge only.
  }
  return covered ?? { kind: "outside" };
}

/** The part of the cover that has a name to tell: a dialog rather than its backdrop's innermost box. */
function coverName(hit: Element): Element {
  const own = meaningful(hit);
  if (identity(own).name !== "") return own;
  return nearest(own, (at) => dom.hasAttribute(at, "aria-label") || dom.hasAttribute(at, "aria-labelledby") || dom.getAttribute(at, "role") === "dialog") ?? own;
}
