// Stand-ins for the DOM's classes, so that content code can be loaded where there is none. Imported before it.

for (const name of ["Node", "Element", "HTMLElement", "HTMLFormElement", "Text", "Document", "DocumentFragment"]) {
  const made = function () { /* never made */ };
  made.prototype = new Proxy({}, { getOwnPropertyDescriptor: () => ({ configurable: true, get: () => undefined }) });
  Object.defineProperty(globalThis, name, { value: made, configurable: true });
}
