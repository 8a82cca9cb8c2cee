// All handlers in one table; a command without one does not compile.

import type { Handlers } from "../dispatch";
import type { Parts } from "../parts";
import { capture } from "./capture";
import { data } from "./data";
import { dialog } from "./dialog";
import { form } from "./form";
import { human } from "./human";
import { keyboard } from "./keyboard";
import { link } from "./link";
import { navigate } from "./navigate";
import { pointer } from "./pointer";
import { read } from "./read";
import { snapshot } from "./snapshot";
import { tabs } from "./tabs";
import { wait } from "./wait";
import { watch } from "./watch";

export function handlers(parts: Parts): Handlers {
  return {
    ...tabs(parts), ...navigate(parts), ...snapshot(parts), ...read(parts), ...pointer(parts), ...keyboard(parts), ...form(parts), ...dialog(parts), ...watch(parts), ...wait(parts),
    ...capture(parts), ...data(parts), ...human(parts), ...link(parts),
  };
}
