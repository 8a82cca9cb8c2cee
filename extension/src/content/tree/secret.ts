// Fields whose content never leaves the page.

import * as dom from "../dom";
import { byIds, liveRoots } from "./composed";
import { namesSecret } from "./secretWords";

/** What may hold a secret. */
export const SECRET_FIELDS = "input,textarea,[contenteditable]";

/** Password, one-time code, card: by type, autocomplete or name. Remembered: a password shown in clear (type text) stays one. */
const known = new WeakSet<Element>();

export function isSecret(element: Element): boolean {
  if (known.has(element)) return true;
  const input = element instanceof HTMLInputElement;
  const field = input || element instanceof HTMLTextAreaElement;
  if (!field && !(dom.hasAttribute(element, "contenteditable") && element instanceof HTMLElement)) return false;
  const secret = (input && element.type === "password") || (field && byAutocomplete(element.autocomplete)) ||
    ((!field || holdsText(element)) && (namedSecret(element) || labelledSecret(element) || isMasked(element)));
  if (secret) known.add(element);
  return secret;
}

/** The words beside the field: its labels, what it is labelled by, its tooltip. Read roughly: the naming itself asks what is secret. */
function labelledSecret(element: Element): boolean {
  for (const source of byIds(element, "aria-labelledby")) if (namesSecret(short(source))) return true;
  for (const label of labelsOf(element)) if (namesSecret(short(label))) return true;
  return false;
}

/** All labels at once: asking one control for its labels searches the whole tree. */
let labels: { at: number; by: Map<Element, Element[]> } | undefined;
const judged = new WeakSet<Element>();
/** So old the labels may be for a field met now, and for one met before. */
const FRESH_MS = 30;
const STALE_MS = 1_000;

function labelsOf(element: Element): readonly Element[] {
  const now = performance.now();
  if (labels === undefined || now - labels.at > (judged.has(element) ? STALE_MS : FRESH_MS)) {
    const by = new Map<Element, Element[]>();
    for (const root of liveRoots()) {
      for (const label of root.querySelectorAll("label")) {
        if (label.control !== null) by.set(label.control, [...(by.get(label.control) ?? []), label]);
      }
    }
    labels = { at: now, by };
  }
  judged.add(element);
  return labels.by.get(element) ?? [];
}

function short(element: Element): string {
  return (dom.textContent(element) ?? "").slice(0, 200).replace(/\s+/g, " ").trim();
}

/** Shown as dots by style alone. */
function isMasked(element: Element): boolean {
  const shown = getComputedStyle(element).getPropertyValue("-webkit-text-security");
  return shown !== "" && shown !== "none";
}

function byAutocomplete(words: string): boolean {
  return words !== "" && words.toLowerCase().split(/\s+/).some((word) => word.startsWith("cc-") || word === "one-time-code" || word.endsWith("-password"));
}

function holdsText(element: HTMLInputElement | HTMLTextAreaElement): boolean {
  return element instanceof HTMLTextAreaElement || ["text", "tel", "number", "search", "url", "email"].includes(element.type);
}

/** By the name, the id, or what it says of itself. */
export function namedSecret(element: Element): boolean {
  return ["name", "id", "aria-label", "placeholder", "title"].some((attribute) => namesSecret(dom.getAttribute(element, attribute) ?? ""));
}

/** Long enough to be told from ordinary words. */
const TELLING = 4;

/** What was typed into secret fields through us: the page may mirror it after the field is emptied, replaced or gone. */
const typed = new Set<string>();
const MOST_TYPED = 16;

export function rememberSecret(field: Element, text: string): void {
  if (text.length < TELLING || !isSecret(field)) return;
  typed.add(text);
  for (const oldest of typed) {
    if (typed.size <= MOST_TYPED) break;
    typed.delete(oldest);
  }
}

/** Contents of all secret fields under the roots now, and what was typed into them; longest first. */
export function secretsIn(roots: Iterable<Document | ShadowRoot>): string[] {
  return secretsAmong([...roots].flatMap((root) => [...dom.querySelectorAll(root, SECRET_FIELDS)]));
}

/** The same, among these fields. */
export function secretsAmong(fields: Iterable<Element>): string[] {
  const values = new Set(typed);
  for (const field of fields) {
    const value = contentOf(field);
    if (value.length >= TELLING && isSecret(field)) values.add(value);
  }
  return [...values].sort((a, b) => b.length - a.length);
}

function contentOf(field: Element): string {
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) return field.value;
  return (dom.textContent(field) ?? "").trim();
}

/** Text in which no known secret stands: pages like to mirror what was typed. */
export function scrub(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) if (secret.length >= TELLING && clean.includes(secret)) clean = clean.split(secret).join("•".repeat(8));
  return clean;
}
