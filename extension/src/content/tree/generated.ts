// Text that style sheets write (`content` of ::before and ::after), with its alternative text.

import * as dom from "../dom";

/** Sheets seen, with their number of rules when they were read: sheets grow. */
const read = new WeakMap<CSSStyleSheet, { rules: number; generates: boolean }>();

/** Whether any style sheet of these trees writes text at all: asking the style of two pseudo-elements per node is dear. */
export function anyGenerated(roots: Iterable<Document | ShadowRoot>): boolean {
  for (const root of roots) {
    for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) if (generates(sheet)) return true;
  }
  return false;
}

function generates(sheet: CSSStyleSheet): boolean {
  let rules: CSSRuleList;
  try {
    rules = sheet.cssRules;
  } catch {
    return true; // A sheet of another origin cannot be read: it may.
  }
  const known = read.get(sheet);
  if (known?.rules === rules.length) return known.generates;
  const answer = someRule(rules);
  read.set(sheet, { rules: rules.length, generates: answer });
  return answer;
}

function someRule(rules: CSSRuleList): boolean {
  for (const rule of rules) {
    if (rule instanceof CSSStyleRule && /::?(?:before|after)/.test(rule.selectorText) && saysSomething(rule.style.content)) return true;
    if (rule instanceof CSSImportRule && (rule.styleSheet === null || generates(rule.styleSheet))) return true;
    if ("cssRules" in rule && rule.cssRules instanceof CSSRuleList && rule.cssRules.length > 0 && someRule(rule.cssRules)) return true;
  }
  return false;
}

function saysSomething(content: string): boolean {
  return content !== "" && content !== "none" && content !== "normal" && content !== '""';
}

/** What ::before or ::after of an element says, with a space on both sides where it has a box or an alternative of its own. */
export function generatedText(element: Element, which: "::before" | "::after"): string {
  const style = getComputedStyle(element, which);
  const content = style.content;
  if (!saysSomething(content) || style.display === "none" || style.visibility !== "visible") return "";
  // Icon fonts live in the private use area: pictures, not words.
  const { text, alternative } = readContent(content, (name) => dom.getAttribute(element, name) ?? "", () => nestedIn(element));
  const words = text.replace(/\p{Co}/gu, "");
  return words !== "" && (alternative || style.display !== "inline") ? ` ${words} ` : words;
}

/** Reads a computed `content`: the alternative text after ` / ` replaces all before it. Counters say nothing, as in Chrome. */
export function readContent(content: string, attribute: (name: string) => string, quotes: () => number = () => 0): { text: string; alternative: boolean } {
  const token = /"((?:[^"\\]|\\.)*)"|attr\(\s*([-\w]+)[^)]*\)|[-\w]+\((?:"(?:[^"\\]|\\.)*"|[^")])*\)|(open|close)-quote|\//g;
  let text = "";
  let alternative = false;
  for (const match of content.matchAll(token)) {
    if (match[0] === "/") {
      text = "";
      alternative = true;
    } else if (match[1] !== undefined) text += match[1].replace(/\\([0-9a-f]{1,6})\s?|\\(.)/gi, (_all, hex?: string, char?: string) => (hex === undefined ? (char ?? "") : String.fromCodePoint(Number.parseInt(hex, 16))));
    else if (match[2] !== undefined) text += attribute(match[2]);
    else if (match[3] !== undefined) text += (match[3] === "open" ? "“‘" : "”’").charAt(quotes() % 2);
  }
  return { text, alternative };
}

/** How many quotations stand around an element. */
function nestedIn(element: Element): number {
  let depth = 0;
  for (let at = dom.parentElement(element); at !== null; at = dom.parentElement(at)) if (dom.localName(at) === "q") depth += 1;
  return depth;
}
