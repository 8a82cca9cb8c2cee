// confirm.html#ID: the card on which the person allows or refuses one press that moves money.

import { messageOf } from "../shared/text";
import { askCard, answerCard } from "../popup/shim";

/** Enter or a click that was meant for what was in front before must not allow anything. */
const ARM_MS = 700;

const id = location.hash.slice(1);

function byId(name: string): HTMLElement {
  const found = document.getElementById(name);
  if (found === null) throw new Error(`confirm.html has no #${name}`);
  return found;
}

const allow = byId("allow");
const refuse = byId("refuse");

/** A button can be pressed once somebody listens to it. */
function enable(button: HTMLElement): void {
  if (button instanceof HTMLButtonElement) button.disabled = false;
}

function answer(allowed: boolean) {
  return (event: Event) => {
    // Only a hand on mouse or keyboard counts.
    if (!event.isTrusted) return;
    void answerCard(id, allowed);
  };
}

async function show(): Promise<void> {
  const card = await askCard(id);
  if (card === null) {
    byId("head").textContent = "Nobody asks any more";
    byId("what").hidden = true;
    byId("note").textContent = "You can close this window.";
    return;
  }
  byId("label").textContent = card.label;
  byId("amount").textContent = card.amount ?? "";
  byId("amount").hidden = byId("amountHead").hidden = card.amount === null;
  byId("site").textContent = new URL(card.url).host;
  byId("title").textContent = card.title;
  refuse.addEventListener("click", answer(false));
  enable(refuse);
  refuse.focus();
  setTimeout(() => {
    allow.addEventListener("click", answer(true));
    enable(allow);
  }, ARM_MS);
}

show().catch((thrown: unknown) => { byId("note").textContent = messageOf(thrown); });
