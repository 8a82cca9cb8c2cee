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
  refuse.focus();
  setTimeout(() => {
    if (allow instanceof HTMLButtonElement) allow.disabled = false;
    allow.addEventListener("click", answer(true));
  }, ARM_MS);
}

show().catch((thrown: unknown) => { byId("note").textContent = messageOf(thrown); });
