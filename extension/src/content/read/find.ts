// Nodes by role and name, or by selector.

import type { Described, Node } from "../../generated/protocol";
import type { Found } from "../../shared/pageCalls";
import { describe, identity, surroundingOf } from "../describe";
import type { Page } from "../page";
import { liveRoots, meetRoots } from "../tree/composed";
import { isShown } from "../tree/visibility";
import { cut, readable } from "../words";

const SEEN = 12;
/** More candidates than any message shows. */
const MANY = 200;
/** As many as a message shows. */
const PLACED = 8;

/** A role and a name, as they were asked for. */
export interface Named {
  role: string;
  name: string;
}

/** A walk with the names as they are compared. */
interface Walk {
  nodes: readonly Node[];
  elements: readonly (Element | undefined)[];
  names: readonly string[];
}

export function findByName(page: Page, wanted: Named): Found {
  return findByNames(page, [wanted])[0] ?? { candidates: [], tier: "none", seen: [] };
}

/** Several at once: the page is walked for all of them together. */
export function findByNames(page: Page, all: readonly Named[]): Found[] {
  const shown = walkOf(page, false);
  let hidden: Walk | undefined;
  return all.map(({ role, name }) => {
    const wanted = readable(name);
    const wantedRole = role.toLowerCase() === "image" ? "img" : role.toLowerCase();
    const found = gather(page, shown, wantedRole, wanted);
    if (found.candidates.length > 0) return found;
    const unseen = gather(page, (hidden ??= walkOf(page, true)), wantedRole, wanted);
    return unseen.candidates.length > 0 ? { ...unseen, seen: found.seen } : found;
  });
}

function walkOf(page: Page, withHidden: boolean): Walk {
  const { nodes, elements } = page.walk(withHidden);
  return { nodes, elements, names: nodes.map((node) => readable(node.name ?? "")) };
}

function gather(page: Page, walked: Walk, role: string, name: string): Found {
  const exact: Element[] = [];
  const containing: Element[] = [];
  const sameRole: Described[] = [];
  const others: Described[] = [];
  const lower = name.toLowerCase();
  for (const [index, node] of walked.nodes.entries()) {
    const element = walked.elements[index];
    if (element === undefined) continue;
    const own = walked.names[index] ?? "";
    if (node.role !== role) {
      if (node.node !== undefined && own !== "" && others.length < SEEN) others.push({ role: node.role, name: cut(own, 80) });
      continue;
    }
    if (own === name) exact.push(element);
    else if (own.toLowerCase().includes(lower)) containing.push(element);
    if (sameRole.length < SEEN) sameRole.push({ role: node.role, name: cut(own, 80) });
  }
  const tier = exact.length > 0 ? "exact" : containing.length > 0 ? "contains" : "none";
  const elements = exact.length > 0 ? exact : containing;
  return { candidates: candidates(page, elements), tier, seen: [...sameRole, ...others].slice(0, SEEN) };
}

export function findByCss(page: Page, selector: string): Found {
  meetRoots(document);
  const all: Element[] = [];
  try {
    for (const root of liveRoots()) all.push(...root.querySelectorAll(selector));
  } catch (error) {
    return { candidates: [], tier: "none", seen: [], badSelector: error instanceof Error ? cut(error.message, 200) : "not a selector" };
  }
  const shown = all.filter(isShown);
  const elements = shown.length > 0 ? shown : all;
  return { candidates: candidates(page, elements), tier: elements.length > 0 ? "exact" : "none", seen: [] };
}

/** One is what is meant; of several it is told where each stands. */
function candidates(page: Page, elements: readonly Element[]): Described[] {
  return elements.slice(0, MANY).map((element, index) => {
    const within = elements.length > 1 && index < PLACED ? surroundingOf(element) : undefined;
    return { ...numbered(page, element), ...(within === undefined ? {} : { within }) };
  });
}

/** In words, with a number: it may be acted on next. */
export function numbered(page: Page, element: Element): Described {
  const known = page.refs.known(element);
  const entry = known === undefined ? undefined : page.refs.entry(known);
  const plain = identity(element);
  const same = entry === undefined || (plain.role === entry.role && plain.name === entry.name);
  const { role, name } = same ? plain : identity(element, entry.role);
  page.refs.number(element, role, name);
  return { ...describe(element, page.refs, page.doc), role };
}
