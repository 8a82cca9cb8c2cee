// Content script: eyes and hands in one document. Until it is touched it only listens.

import type { PageAnswer, PageCalls } from "../shared/pageCalls";
import { callsOf } from "./calls";
import type { Answers } from "./calls";
import { Channel } from "./channel";
import { alive, answer, tell } from "./chrome";
import { PayGuard } from "./act/guard";
import { Page } from "./page";
import { Names } from "./tree/names";
import { roleOf } from "./tree/roles";
import type { Walked } from "./tree/walk";

/** What one instance leaves for the next one in the same document. */
interface Instance {
  alive: () => boolean;
  /** Ends it; answers the next free number. */
  stop: () => number;
  /** What a snapshot is made of, for the lab's comparison with Chrome's own tree. A page cannot reach this world. */
  look: () => Walked;
  /** Role and name of any element, also of one that a snapshot leaves out. */
  identify: (element: Element) => { role: string; name: string };
}

declare global {
  var tegataInstance: Instance | undefined;
}

function isCall(name: string, answers: Answers): name is keyof PageCalls {
  return Object.hasOwn(answers, name);
}

/** One call, its answer or its error. `params` come from our own worker, which is compiled against the same types. */
async function serve<K extends keyof PageCalls>(answers: Answers, name: K, params: PageCalls[K]["params"]): Promise<PageAnswer<PageCalls[K]["result"]>> {
  try {
    return { ok: await answers[name](params) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function isRequest<K extends keyof PageCalls>(message: unknown, answers: Answers): message is { tegata: K; params: PageCalls[K]["params"] } {
  return typeof message === "object" && message !== null && "tegata" in message && "params" in message && typeof message.tegata === "string" && isCall(message.tegata, answers);
}

function start(firstNumber: number): void {
  const page = new Page(firstNumber);
  const channel = new Channel((event) => {
    if (page.touched) tell(event);
  });
  const guard = new PayGuard(page);
  const answers = callsOf(page, guard, () => { channel.touched(); });
  answer((message) => (isRequest(message, answers) ? serve(answers, message.tegata, message.params) : undefined));
  globalThis.tegataInstance = {
    alive,
    stop: () => {
      page.stop();
      guard.stop();
      return page.refs.next;
    },
    look: () => page.walk(),
    identify: (element) => ({ role: roleOf(element), name: new Names().of(element, roleOf(element)).text }),
  };
}

// Injected again after the extension was reloaded: the old instance is deaf, its numbers are never used again.
const earlier = globalThis.tegataInstance;
if (earlier === undefined) start(1);
else if (!earlier.alive()) start(earlier.stop());
