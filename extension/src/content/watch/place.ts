// Where something is, seen from the target.

import type { Place } from "../../generated/protocol";
import * as dom from "../dom";
import { byIds, byId, composedParent, holds } from "../tree/composed";
import { roleOf } from "../tree/roles";

const SECTION_TAGS = new Set(["form", "dialog", "fieldset", "section", "article", "li", "tr", "table", "ul", "ol", "nav", "main", "aside", "details"]);
const SECTION_ROLES = new Set((
  "alertdialog article dialog form grid group list listbox listitem main menu menubar navigation radiogroup region row search table tablist tabpanel " +
  "toolbar tree treegrid"
).split(" "));
/** Parts of a page that live their own lives, seen from a target that stands loose in the page. */
const APART = "section,article,aside,nav,form,dialog,header,footer,main,[role=region],[role=complementary],[role=navigation],[role=form],[role=dialog],[role=banner],[role=contentinfo],[role=log],[role=timer],[role=marquee]";

/** Elements inside a mere wrapper. */
const WRAPPED = 3;

/** The surroundings of a target. */
export class Surroundings {
  readonly target: Element;
  readonly section: Element;
  /** What the target controls, owns or stands for. */
  readonly linked: readonly Element[];
  readonly #loose: boolean;

  constructor(target: Element) {
    this.target = target;
    this.linked = linkedTo(target);
    let at = composedParent(target);
    let last: Element = target;
    while (at !== undefined && at !== document.body && at !== document.documentElement && !isSection(at)) {
      last = at;
      at = composedParent(at);
    }
    const sectioned = at !== undefined && at !== document.body && at !== document.documentElement;
    // A target that stands loose in the body, at most in a wrapper of its own, has the loose content around it for its section.
    const loose = last === target || dom.querySelectorAll(last, "*").length <= WRAPPED;
    this.section = sectioned ? at ?? last : loose ? document.body ?? last : last;
    this.#loose = !sectioned || dom.localName(this.section) === "main" || dom.getAttribute(this.section, "role") === "main";
  }

  placeOf(region: Element): Place {
    if (holds(this.target, region)) return "target";
    if (this.linked.some((element) => holds(element, region))) return "section";
    if (!holds(this.section, region)) return "away";
    if (!this.#loose) return "section";
    for (let at: Element | undefined = region; at !== undefined && at !== this.section; at = composedParent(at)) if (dom.matches(at, APART)) return "away";
    return "section";
  }

  isLinked(region: Element): boolean {
    return this.linked.some((element) => holds(element, region));
  }
}

function isSection(element: Element): boolean {
  return SECTION_TAGS.has(dom.localName(element)) || (dom.hasAttribute(element, "role") && SECTION_ROLES.has(roleOf(element)));
}

function linkedTo(target: Element): Element[] {
  const found = new Set<Element>();
  for (const attribute of ["aria-controls", "aria-owns", "aria-activedescendant"]) for (const element of byIds(target, attribute)) found.add(element);
  for (const attribute of ["popovertarget", "commandfor", "list"]) {
    const id = dom.getAttribute(target, attribute);
    const element = id === null ? undefined : byId(target, id);
    if (element !== undefined) found.add(element);
  }
  if (target instanceof HTMLLabelElement && target.control !== null) found.add(target.control);
  const parent = dom.localName(target) === "summary" ? dom.parentElement(target) : null;
  if (parent !== null) found.add(parent);
  found.delete(target);
  return [...found];
}
