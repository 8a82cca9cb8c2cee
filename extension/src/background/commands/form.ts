// form/*: boxes and lists.

import { PLAIN } from "../../shared/press";
import { act } from "../act";
import type { Aim } from "../act";
import type { Handlers } from "../dispatch";
import { Failure } from "../failure";
import type { Parts } from "../parts";
import { choose } from "../choose";
import { fillFields, ownerOf } from "../fill";
import { upload } from "../upload";

type Rows = "form/check" | "form/select" | "form/fill" | "form/owner" | "form/submit" | "form/upload";

export function form(parts: Parts): Pick<Handlers, Rows> {
  const { pages, trusted } = parts;

  /** A trusted click on what `wanted` is asked of. */
  const press = async (tab: number, { doc, node, top }: Aim, watch: number, checked: boolean) => {
    if (top === null) throw new Failure("unsupported", "where the frame lies in its page is not known");
    await pages.ask(doc, "want", { node, watch, field: 0, wanted: { kind: "checked", checked } });
    await pages.ask(doc, "arm", { node, watch, action: "click", append: false, text: null });
    await trusted.click(tab, top, PLAIN);
    return await pages.ask(doc, "received", { watch, text: null });
  };

  return {
    "form/check": ({ tab, target, checked, input, watch }, signal) => act(parts, {
      kind: checked ? "check" : "uncheck", tab, target, input, watch,
      synthetic: ({ doc, node, point }) => pages.ask(doc, "check", { node, watch, point, checked }),
      trusted: (aim) => press(tab, aim, watch, checked),
    }, signal),

    "form/select": (params, signal) => choose(parts, params, signal),

    "form/upload": (params, signal) => upload(parts, params, signal),

    "form/fill": (params, signal) => fillFields(parts, params, signal),

    "form/owner": ({ tab, targets }) => ownerOf(parts, tab, targets),

    "form/submit": ({ tab, target, watch }, signal) => act(parts, {
      kind: "submit", tab, target, input: "synthetic", watch,
      synthetic: ({ doc, node }) => pages.ask(doc, "submit", { node, watch }),
      trusted: () => { throw new Failure("unsupported", "a form is not submitted by trusted input"); },
    }, signal),
  };
}
