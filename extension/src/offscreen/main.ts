// The document that holds the socket, so that it outlives the worker. Passes strings on; reads of them only which request they are.

import { DEFAULT_PORTS, SOCKET_PORT } from "../shared/messages";
import type { FromSocket, Summon, ToSocket } from "../shared/messages";
import { OpenRequests } from "../shared/openRequests";
import { SocketLoop } from "../shared/socketLoop";

let port: chrome.runtime.Port | null = null;
const requests = new OpenRequests();

function reach(): chrome.runtime.Port {
  if (port !== null) return port;
  // Wakes the worker when it sleeps.
  const made = chrome.runtime.connect({ name: SOCKET_PORT });
  port = made;
  made.onMessage.addListener((message: ToSocket) => { obey(message); });
  made.onDisconnect.addListener(() => { lost(made); });
  say({ is: "state", socket: loop.serial, open: loop.openPort, note: loop.note, orphans: requests.orphans });
  return made;
}

/** A life of the worker ended. What it was asked is answered by the next one, which is woken for it. */
function lost(gone: chrome.runtime.Port): void {
  if (port !== gone) return;
  port = null;
  requests.lifeEnded();
  if (requests.orphans.length > 0) reach();
}

function say(message: FromSocket): void {
  const to = reach();
  try {
    to.postMessage(message);
  } catch {
    // The worker stopped and the disconnect has not been told yet: reach the next one.
    lost(to);
    reach().postMessage(message);
  }
  if (message.is === "frame") requests.given(message.text);
}

const loop = new SocketLoop({
  open: (socket, at) => { requests.clear(); say({ is: "open", socket, port: at }); },
  frame: (socket, text) => { say({ is: "frame", socket, text }); },
  closed: (socket) => { requests.clear(); say({ is: "closed", socket }); },
  absent: (ports) => { say({ is: "absent", ports }); },
  unsent: (text) => { say({ is: "unsent", text }); },
});

function obey(message: ToSocket): void {
  switch (message.do) {
    case "send":
      requests.answered(message.text);
      loop.send(message.socket, message.text);
      return;
    case "drop": loop.drop(message.socket); return;
    case "established": loop.established(message.socket, message.note); return;
    case "retry": loop.retry(); return;
    case "ports":
      history.replaceState(null, "", `#${message.ports.join(",")}`);
      loop.setPorts(message.ports);
  }
}

chrome.runtime.onMessage.addListener((message: Summon) => {
  if (message.summon === "socket") reach();
});

function portsOfHash(): number[] {
  const ports = location.hash.slice(1).split(",").map(Number).filter((value) => Number.isInteger(value) && value > 0 && value < 65536);
  return ports.length > 0 ? ports : [...DEFAULT_PORTS];
}

// The worker is listening before anything is dialled: it made this document.
reach();
loop.setPorts(portsOfHash());
