// An ordinary click.

import type { Press } from "../generated/protocol";

/** Once, with the main button, nothing held. */
export const PLAIN: Press = { button: "left", count: 1, modifiers: [], holdMs: 0 };
