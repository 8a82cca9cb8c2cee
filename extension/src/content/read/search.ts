// Nodes by role, name and text: exact before loose, with refs.

import type { Described, Tier } from "../../generated/protocol";
import type { PageMatch, Searched } from "../../shared/pageCalls";
import type { Page } from "../page";
import { marked } from "../tree/clickable";
import { liveRoots, nearest } from "../tree/composed";
import { ACTIONABLE, roleOf } from "../tree/roles";
import { scrub, secretsIn } from "../tree/secret";
import { aroundOf, statesOf } from "../tree/states";
import { cut, readable } from "../words";
import { numbered } from "./find";
import { passages } from "./passages";
import { visibleText } from "./text";

const SEEN = 12;
const TEXT = 160;

/** What is looked for; at least one of them. */
export interface Wanted {
  role?: string;
  name?: string;
  text?: string;
}

/** Looks in this document. */
export function search(page: Page, wanted: Wanted, limit: number): Searched {
  const secrets = secretsIn(liveRoots());
  const clean = (found: PageMatch): PageMatch => ({
    ...found, node: { ...found.node, name: scrub(found.node.name, secrets) }, ...(found.text === undefined ? {} : { text: scrub(found.text, secrets) }),
  });
  const searched = wanted.role === undefined && wanted.name === undefined && wanted.text !== undefined ? byText(page, wanted.text, limit) : byNode(page, wanted, limit);
  return { ...searched, matches: searched.matches.map(clean), seen: searched.seen.map((one) => ({ ...one, name: scrub(one.name, secrets) })) };
}

function byNode(page: Page, { role, name, text }: Wanted, limit: number): Searched {
  const walked = page.walk();
  const wantedRole = role === undefined ? undefined : role.toLowerCase() === "image" ? "img" : role.toLowerCase();
  const wantedName = name === undefined ? undefined : readable(name);
  const tiers: Record<"exact" | "contains", Element[]> = { exact: [], contains: [] };
  const same: Described[] = [];
  const others: Described[] = [];
  for (const [index, node] of walked.nodes.entries()) {
    const element = walked.elements[index];
    if (element === undefined) continue;
    const own = readable(node.name ?? "");
    const fits = wantedRole === undefined || node.role === wantedRole;
    const tier = !fits ? "none" : both(howWell(own, wantedName), text === undefined ? "exact" : howWell(readable(visibleText(element)), readable(text), true));
    if (tier !== "none") tiers[tier].push(element);
    else if (fits && wantedRole !== undefined && same.length < SEEN) same.push({ role: node.role, name: cut(own, 80) });
    else if (own !== "" && node.node !== undefined && others.length < SEEN) others.push({ role: node.role, name: cut(own, 80) });
  }
  const tier = tiers.exact.length > 0 ? "exact" : tiers.contains.length > 0 ? "contains" : "none";
  const elements = tier === "none" ? [] : tiers[tier];
  return { tier, count: elements.length, matches: elements.slice(0, limit).map((element) => matchOf(page, element)), seen: [...same, ...others].slice(0, SEEN) };
}

function howWell(own: string, wanted: string | undefined, inside = false): Tier {
  if (wanted === undefined) return "exact";
  if (inside ? own.includes(wanted) : own === wanted) return "exact";
  return own.toLowerCase().includes(wanted.toLowerCase()) ? "contains" : "none";
}

function both(a: Tier, b: Tier): Tier {
  if (a === "none" || b === "none") return "none";
  return a === "exact" && b === "exact" ? "exact" : "contains";
}

function byText(page: Page, text: string, limit: number): Searched {
  if (document.body === null) return { tier: "none", count: 0, matches: [], seen: [] };
  const { exact, found } = passages(document.body, text);
  const owners = new Map<Element, string>();
  for (const passage of found) {
    const owner = ownerOf(passage.element);
    if (!owners.has(owner)) owners.set(owner, passage.text);
  }
  const matches = [...owners].slice(0, limit).map(([owner, said]) => ({ ...matchOf(page, owner), text: cut(said, TEXT) }));
  return { tier: owners.size === 0 ? "none" : exact ? "exact" : "contains", count: owners.size, matches, seen: [] };
}

/** What a person would act on to act on this text: the control around it, or the element itself. */
export function ownerOf(element: Element): Element {
  return nearest(element, (at) => ACTIONABLE.has(roleOf(at)) || marked(at)) ?? element;
}

export function matchOf(page: Page, element: Element): PageMatch {
  const node = numbered(page, element);
  return { node, states: statesOf(element, node.role, aroundOf(element), false) };
}
