// watch/*: what followed an action.

import type { Handlers } from "../dispatch";
import type { Parts } from "../parts";

export function watch({ watches }: Parts): Pick<Handlers, "watch/look"> {
  return { "watch/look": ({ tab, watch: number }) => watches.look(tab, number) };
}
