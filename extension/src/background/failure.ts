// The error of a command, as it goes over the link.

import type { CommandError, ErrorCode } from "../generated/protocol";
import { cut, messageOf } from "../shared/text";

/** Thrown by handlers; everything else becomes `internal`. */
export class Failure extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string) {
    super(message);
    this.name = "Failure";
    this.code = code;
  }
}

/** What the daemon is told. */
export function errorOf(thrown: unknown): CommandError {
  if (thrown instanceof Failure) return { code: thrown.code, message: cut(thrown.message, 500) };
  return { code: "internal", message: cut(`the extension failed: ${messageOf(thrown)}`, 500) };
}

/** Stops a command whose caller gave up, as long as nothing was dispatched. */
export function stopIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new Failure("cancelled", "the caller gave up before anything was done");
}
