// The state of the link in words a user understands, each with the way out.

import type { PopupState } from "../shared/messages";

/** What the popup says at its top. */
export interface Words {
  tone: "good" | "wait" | "bad";
  headline: string;
  detail: string;
  /** The pairing field helps here. */
  pair: boolean;
}

const PAIR = 'Run "tegata extension --pair" in a terminal and open the address it prints, or paste the code here.';

function portWords(state: PopupState): string {
  return state.givenPort === null ? "the usual ports" : `port ${state.givenPort}`;
}

/** Says it. */
export function words(state: PopupState): Words {
  const { link, switches } = state;
  switch (link.kind) {
    case "open":
      return switches.paused
        ? { tone: "wait", headline: "Paused", detail: `Connected to Tegata ${link.version} on port ${link.port}; agents wait until you resume.`, pair: false }
        : { tone: "good", headline: "Connected", detail: `Tegata ${link.version} on port ${link.port} (instance ${link.instance.slice(0, 8)}).`, pair: false };
    case "searching": return { tone: "wait", headline: "Looking for the daemon…", detail: `Trying ${portWords(state)}.`, pair: !state.paired };
    case "absent":
      return state.paired
        ? { tone: "wait", headline: "Not connected", detail: `No daemon answers on ${portWords(state)}. It starts with your agent, or with "tegata status".`, pair: true }
        : { tone: "wait", headline: "Not paired yet", detail: PAIR, pair: true };
    case "stranger":
      return { tone: "bad", headline: "Not connected", detail: `Something else answers on port ${link.port}: it does not know this browser's pairing. Nothing of your pages was sent to it.`, pair: true };
    case "unpaired": return { tone: "bad", headline: "Not paired", detail: `${link.message} ${PAIR}`, pair: true };
    case "refused":
      return link.why === "protocol"
        ? { tone: "bad", headline: "Reload the extension", detail: `${link.message} Open chrome://extensions and press the reload button of Tegata.`, pair: false }
        : { tone: "bad", headline: "Refused by the daemon", detail: link.message, pair: link.why !== "taken" };
  }
}
