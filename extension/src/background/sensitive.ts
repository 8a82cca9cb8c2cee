// Whether a target is one of those that a command spares. The words are the daemon's, which judges by the same rule (judge/sensitive.rs).

import type { TargetFacts } from "../generated/protocol";

const NAME = 40;

/** It submits a form, or one of the words stands in its name or its marks: ASCII words alone, others anywhere. */
export function isSensitive({ described, submits, marks }: Pick<TargetFacts, "described" | "submits" | "marks">, words: readonly string[]): boolean {
  const name = [...described.name].slice(0, NAME).join("").toLowerCase();
  return submits || [name, marks].some((text) => {
    const alone = new Set(text.split(/[^\p{Alphabetic}\p{N}]+/u));
    return words.some((word) => (/^[\u0000-\u007f]*$/u.test(word) ? alone.has(word) : text.includes(word)));
  });
}
