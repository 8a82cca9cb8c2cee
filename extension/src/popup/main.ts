// The popup: is it connected and why not, pairing, the user's two switches, the tabs in use.

import { readInvitation } from "../shared/invitation";
import { messageOf } from "../shared/text";
import type { PopupState } from "../shared/messages";
import { askPair, askState, tellWorker } from "./shim";
import { words } from "./words";

const REFRESH_MS = 1_000;

function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`popup.html has no #${id}`);
}

const link = byId("link", HTMLElement);
const headline = byId("headline", HTMLElement);
const detail = byId("detail", HTMLElement);
const anyPort = byId("anyPort", HTMLButtonElement);
const pair = byId("pair", HTMLFormElement);
const invitation = byId("invitation", HTMLInputElement);
const pairResult = byId("pairResult", HTMLElement);
const paused = byId("paused", HTMLInputElement);
const trustedInput = byId("trustedInput", HTMLInputElement);
const evalScripts = byId("eval", HTMLInputElement);
const showSecrets = byId("showSecrets", HTMLInputElement);
const held = byId("held", HTMLUListElement);
const none = byId("none", HTMLElement);

/** Writes only what differs: a live region must not speak again because nothing changed. */
function write(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

function show(state: PopupState): void {
  const said = words(state);
  write(byId("version", HTMLElement), state.version);
  link.dataset["tone"] = said.tone;
  write(headline, said.headline);
  write(detail, said.detail);
  anyPort.hidden = state.givenPort === null || state.link.kind === "open";
  pair.hidden = !said.pair && pairResult.textContent === "";
  paused.checked = state.switches.paused;
  trustedInput.checked = state.switches.trustedInput;
  evalScripts.checked = state.switches.eval;
  showSecrets.checked = state.showSecrets;
  none.hidden = state.held.length > 0;
  const rows = state.held.map(({ tab, label, title }) => ({ title: title === "" ? `Tab ${tab}` : title, label }));
  if (held.dataset["rows"] === JSON.stringify(rows)) return;
  held.dataset["rows"] = JSON.stringify(rows);
  held.replaceChildren(...rows.map(({ title, label }) => {
    const row = document.createElement("li");
    const [name, agent] = [document.createElement("span"), document.createElement("span")];
    name.textContent = name.title = title;
    agent.textContent = label;
    row.append(name, agent);
    return row;
  }));
}

async function refresh(): Promise<void> {
  try {
    const state = await askState();
    if (state !== null) show(state);
  } catch (thrown) {
    link.dataset["tone"] = "bad";
    write(headline, "The extension does not answer");
    write(detail, messageOf(thrown));
  }
}

function switched(): void {
  void tellWorker({ ask: "switches", switches: { paused: paused.checked, trustedInput: trustedInput.checked, eval: evalScripts.checked } }).then(refresh);
}

paused.addEventListener("change", switched);
trustedInput.addEventListener("change", switched);
evalScripts.addEventListener("change", switched);
showSecrets.addEventListener("change", () => { void tellWorker({ ask: "pictures", showSecrets: showSecrets.checked }).then(refresh); });
anyPort.addEventListener("click", () => { void tellWorker({ ask: "anyPort" }).then(refresh); });
pair.addEventListener("submit", (event) => {
  event.preventDefault();
  const read = readInvitation(invitation.value);
  if (read === null) {
    write(pairResult, 'That is no pairing code: it looks like "8787-" and 64 letters and digits.');
    return;
  }
  write(pairResult, "Pairing…");
  void askPair(read.port, read.code).then((result) => {
    write(pairResult, result?.message ?? "The extension did not answer.");
    if (result?.result === "paired") invitation.value = "";
    return refresh();
  });
});

void refresh();
setInterval(() => { void refresh(); }, REFRESH_MS);
