// Fields of every element that matches, rows of a table, elements that hold a text.

import type { Field } from "../../generated/protocol";
import type { PageRow, Queried } from "../../shared/pageCalls";
import * as dom from "../dom";
import type { Page } from "../page";
import { liveRoots, meetRoots } from "../tree/composed";
import { isSecret, namedSecret, scrub, secretsIn } from "../tree/secret";
import { isShown } from "../tree/visibility";
import { cut, fold } from "../words";
import { passages } from "./passages";
import { matchOf, ownerOf } from "./search";
import { visibleText } from "./text";

const VALUE = 2_000;
const PATH = 300;
const MOST_COLUMNS = 50;

/** Rows by selector. */
export function queryBySelector(page: Page, selector: string, fields: readonly Field[], limit: number): Queried {
  meetRoots(document);
  const found: Element[] = [];
  try {
    for (const root of liveRoots()) found.push(...dom.querySelectorAll(root, selector));
    // A wrong selector of a field is found even when there is no row.
    for (const field of fields) if (field.selector !== "") document.createDocumentFragment().querySelector(field.selector);
  } catch (error) {
    return { columns: [], count: 0, rows: [], badSelector: error instanceof Error ? cut(error.message, 200) : "not a selector" };
  }
  const [first] = found;
  if (fields.length === 0 && found.length === 1 && first instanceof HTMLTableElement) return tableRows(page, first, limit);
  const secrets = secretsIn(liveRoots());
  const rows = found.slice(0, limit).map((element): PageRow => ({
    ...matchOf(page, element),
    values: fields.length === 0 ? [said(visibleText(element), secrets)] : fields.map((field) => valueOf(element, field, secrets)),
  }));
  return { columns: fields.length === 0 ? ["text"] : fields.map((field) => field.name), count: found.length, rows: rows.map((row) => scrubbed(row, secrets)) };
}

/** Elements that hold a text, each with its path. */
export function queryByText(page: Page, text: string, limit: number): Queried {
  if (document.body === null) return { columns: ["text"], count: 0, rows: [] };
  const secrets = secretsIn(liveRoots());
  const { found } = passages(document.body, text);
  const rows = found.slice(0, limit).map(({ element, text: around }): PageRow => ({
    ...matchOf(page, ownerOf(element)), path: cut(pathOf(element), PATH), values: [said(around, secrets)],
  }));
  return { columns: ["text"], count: found.length, rows: rows.map((row) => scrubbed(row, secrets)) };
}

function scrubbed(row: PageRow, secrets: readonly string[]): PageRow {
  return { ...row, node: { ...row.node, name: scrub(row.node.name, secrets) } };
}

function said(text: string, secrets: readonly string[]): string {
  return cut(scrub(fold(text), secrets), VALUE);
}

function valueOf(row: Element, { selector, attribute }: Field, secrets: readonly string[]): string | null {
  const element = selector === "" ? row : dom.querySelector(row, selector);
  if (element === null) return null;
  if (attribute === undefined) return said(visibleText(element), secrets);
  const value = attributeOf(element, attribute);
  return value === null ? null : said(value, secrets);
}

/** Attribute, or the property where that is what counts now. Secret fields tell only their length. */
function attributeOf(element: Element, attribute: string): string | null {
  const name = attribute.toLowerCase();
  if (name === "value" && (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement)) {
    const secret = isSecret(element) || (element instanceof HTMLInputElement && element.type === "hidden" && namedSecret(element));
    return secret ? `<${element.value.length} characters, secret>` : element.value;
  }
  if (name === "checked" && element instanceof HTMLInputElement) return String(element.checked);
  if (name === "selected" && element instanceof HTMLOptionElement) return String(element.selected);
  if ((name === "href" || name === "src") && dom.hasAttribute(element, name)) {
    const value = dom.getAttribute(element, name) ?? "";
    return URL.canParse(value, document.baseURI) ? new URL(value, document.baseURI).href : value;
  }
  if (name === "html") return null;
  return dom.getAttribute(element, attribute);
}

/** Rows of a table under the names of its header cells; cells that span several rows or columns stand in each. */
function tableRows(page: Page, table: HTMLTableElement, limit: number): Queried {
  const secrets = secretsIn(liveRoots());
  const all = [...table.rows].filter((row) => isShown(row));
  const grid = spread(all);
  const isHeader = (row: HTMLTableRowElement) => row.parentElement?.localName === "thead" || (row.cells.length > 0 && [...row.cells].every((cell) => cell.localName === "th"));
  const firstBody = all.findIndex((row) => !isHeader(row));
  const body = firstBody < 0 ? all.length : firstBody;
  const width = Math.min(MOST_COLUMNS, Math.max(0, ...grid.map((cells) => cells.length)));
  const columns = Array.from({ length: width }, (_, column) => {
    const words: string[] = [];
    for (const cells of grid.slice(0, body)) {
      const cell = cells[column];
      const word = cell === undefined ? "" : said(visibleText(cell), secrets);
      if (word !== "" && !words.includes(word)) words.push(word);
    }
    return words.join(" / ") || `column ${column + 1}`;
  });
  const rows = all.slice(body, body + limit).map((row, index): PageRow => ({
    ...matchOf(page, row),
    values: Array.from({ length: width }, (_, column) => {
      const cell = grid[body + index]?.[column];
      return cell === undefined ? null : said(visibleText(cell), secrets);
    }),
  }));
  return { columns, count: all.length - body, rows: rows.map((row) => scrubbed(row, secrets)) };
}

/** The cell at each place of the grid. */
function spread(rows: readonly HTMLTableRowElement[]): HTMLTableCellElement[][] {
  const grid: HTMLTableCellElement[][] = rows.map(() => []);
  for (const [at, row] of rows.entries()) {
    let column = 0;
    for (const cell of row.cells) {
      while (grid[at]?.[column] !== undefined && column < MOST_COLUMNS) column += 1;
      for (let down = 0; down < Math.min(Math.max(1, cell.rowSpan), rows.length - at); down += 1) {
        for (let right = 0; right < Math.min(cell.colSpan, MOST_COLUMNS - column); right += 1) {
          const line = grid[at + down];
          if (line !== undefined) line[column + right] = cell;
        }
      }
      column += cell.colSpan;
    }
  }
  return grid;
}

/** A path that finds the element again, as short as it can be. */
export function pathOf(element: Element): string {
  const steps: string[] = [];
  for (let at: Element | null = element; at !== null && at !== document.documentElement; at = dom.parentElement(at)) {
    const id = dom.id(at);
    if (id !== "" && !/\d{3,}/.test(id)) {
      steps.unshift(`#${CSS.escape(id)}`);
      break;
    }
    const localName = dom.localName(at);
    const parent = dom.parentElement(at);
    const twins = parent === null ? [] : [...dom.children(parent)].filter((other) => dom.localName(other) === localName);
    steps.unshift(twins.length > 1 ? `${localName}:nth-of-type(${twins.indexOf(at) + 1})` : localName);
  }
  return steps.join(" > ");
}
