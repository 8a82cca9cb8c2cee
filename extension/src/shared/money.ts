// Which labels move money: the table made into patterns, and the rule by which a label is judged. Pure text.

import { MONEY_WORDS } from "../generated/protocol";
import type { MoneyWords } from "../generated/protocol";

/** Sources of the patterns; made once in the worker and sent with the calls that need them. */
export interface Patterns {
  pay: string;
  generic: string;
  amount: string;
  harmless: string;
}

/** What a control says about money. */
export interface Money {
  label: string;
  amount?: string;
}

/** A label longer than this only counts when an amount stands in it: it is a text, not a word on a button. */
const SHORT = 40;
const LONG = 200;
const MOST_WORDS = 500;
const NOTHING = "(?!)";
const INVISIBLE = /[\u00ad\u034f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]/gu;

/** As words are compared: compatible forms, no invisible characters, lower case, single blanks. */
export function plain(text: string): string {
  return text.normalize("NFKC").replace(INVISIBLE, "").replace(/\s+/gu, " ").trim().toLowerCase();
}

/** Latin words stand alone; words of scripts without blanks, and signs, stand anywhere. */
function pattern(word: string): string {
  const source = plain(word).replace(/[$()*+.?[\\\]^{|}]/gu, "\\$&").replace(/ /gu, "[\\s-]*");
  return `${/^[\p{Script=Latin}\p{N}]/u.test(word) ? "(?<![\\p{L}\\p{N}])" : ""}${source}${/\p{Script=Latin}$/u.test(word) ? "(?!\\p{L})" : ""}`;
}

function anyOf(words: readonly string[]): string {
  const sources = words.map(plain).filter((word) => word !== "").map(pattern);
  return sources.length === 0 ? NOTHING : `(?:${sources.join("|")})`;
}

/** The table with what a daemon added. */
export function patterns(more: Pick<MoneyWords, "pay" | "generic" | "currencies">): Patterns {
  const both = (own: readonly string[], added: readonly string[]) => [...own, ...added.slice(0, MOST_WORDS).filter((word) => word.length <= SHORT)];
  const currency = both(MONEY_WORDS.currencies, more.currencies).map(plain).filter((word) => word !== "");
  const before = currency.map((word) => (/^\p{Script=Latin}/u.test(word) ? `(?<!\\p{L})${escaped(word)}` : escaped(word))).join("|");
  const behind = currency.map((word) => (/\p{Script=Latin}$/u.test(word) ? `${escaped(word)}(?!\\p{L})` : escaped(word))).join("|");
  const number = "\\d[\\d.,'’\\u00a0 ]*";
  return {
    pay: anyOf(both(MONEY_WORDS.pay, more.pay)),
    generic: `^[^\\p{L}\\p{N}]*${anyOf(both(MONEY_WORDS.generic, more.generic))}`,
    amount: `(?:${before})\\s?-?${number}|${number}(?:[万萬千亿億])?\\s?(?:${behind})`,
    harmless: anyOf(MONEY_WORDS.harmless ?? []),
  };
}

function escaped(word: string): string {
  return word.replace(/[$()*+.?[\\\]^{|}]/gu, "\\$&");
}

const compiled = new Map<string, RegExp>();

function regex(source: string): RegExp {
  let made = compiled.get(source);
  if (made === undefined) {
    if (compiled.size > 32) compiled.clear();
    compiled.set(source, (made = new RegExp(source, "u")));
  }
  return made;
}

/** The first amount in a text. */
export function amountIn(by: Patterns, text: string): string | undefined {
  return regex(by.amount).exec(plain(text))?.[0].replace(/[\s.,'’]+$/u, "").trim();
}

/** Whether a control with one of these labels moves money; `around` is the text right beside it, asked for only when it decides. */
export function moneyIn(by: Patterns, labels: readonly string[], around: () => string): Money | undefined {
  for (const label of labels) {
    const text = plain(label);
    if (text === "" || text.length > LONG) continue;
    const own = amountIn(by, label);
    if (regex(by.pay).test(text) && (own !== undefined || (text.length <= SHORT && !regex(by.harmless).test(text)))) return found(label, own ?? amountIn(by, around()));
    if (regex(by.generic).test(text)) {
      const amount = own ?? amountIn(by, around());
      if (amount !== undefined) return found(label, amount);
    }
  }
  return undefined;
}

function found(label: string, amount: string | undefined): Money {
  const said = label.replace(INVISIBLE, "").replace(/\s+/gu, " ").trim();
  return { label: said.length > 80 ? `${said.slice(0, 79).toWellFormed()}…` : said.toWellFormed(), ...(amount === undefined ? {} : { amount }) };
}
