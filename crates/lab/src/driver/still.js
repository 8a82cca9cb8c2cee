// Takes down one document as it stands: every node once, in one flat list, with what only a script can see. It runs in a world of its
// own, so nothing of the page is called. `inside` are nodes of closed shadow roots, `owners` frame elements with the ids of their frames.
function (wantsDrawings, insideCount, ...rest) {
  const closed = new Map();
  for (const node of rest.slice(0, insideCount)) {
    const root = node.getRootNode();
    if (root instanceof ShadowRoot) closed.set(root.host, root);
  }
  const frames = new Map();
  for (let at = insideCount; at + 1 < rest.length; at += 2) frames.set(rest[at], rest[at + 1]);

  const nodes = [];
  const textOf = (sheet) => {
    const rules = [];
    for (const rule of sheet.cssRules) {
      if (!(rule instanceof CSSImportRule)) {
        rules.push(rule.cssText);
        continue;
      }
      if (rule.styleSheet === null) continue;
      const inner = textOf(rule.styleSheet);
      const media = rule.media.mediaText;
      rules.push(media === '' ? inner : `@media ${media} {\n${inner}\n}`);
    }
    return rules.join('\n');
  };
  const sheetOf = (sheet) => {
    try {
      return { text: textOf(sheet) };
    } catch {
      // Of another origin: the browser itself may still have its text.
      return { address: sheet.href ?? '' };
    }
  };
  const adopted = (root) => [...root.adoptedStyleSheets].filter((sheet) => !sheet.disabled).map((sheet) => sheetOf(sheet).text ?? '');
  const SPACES = { 'http://www.w3.org/2000/svg': 'svg', 'http://www.w3.org/1998/Math/MathML': 'math' };
  const children = (parent) => {
    const list = [];
    for (const child of parent.childNodes) {
      if (child.nodeType === Node.TEXT_NODE || child.nodeType === Node.CDATA_SECTION_NODE) {
        list.push(nodes.length);
        const typed = child.parentElement?.isContentEditable === true;
        nodes.push(typed ? { typed: child.data } : { text: child.data });
      } else if (child.nodeType === Node.ELEMENT_NODE) {
        list.push(element(child));
      }
    }
    return list;
  };
  const element = (own) => {
    const at = nodes.length;
    nodes.push(null);
    const taken = {
      tag: own.localName,
      space: SPACES[own.namespaceURI] ?? 'html',
      attributes: [...own.attributes].map(({ name, value }) => [name, value]),
      children: children(own instanceof HTMLTemplateElement ? own.content : own),
    };
    const root = own.shadowRoot ?? closed.get(own);
    if (root) {
      taken.shadow = {
        closed: root.mode === 'closed',
        delegatesFocus: root.delegatesFocus,
        children: children(root),
        adopted: adopted(root),
      };
    }
    if ((own instanceof HTMLInputElement && own.type !== 'file') || own instanceof HTMLTextAreaElement) taken.value = own.value;
    if (own instanceof HTMLInputElement && (own.type === 'checkbox' || own.type === 'radio')) taken.chosen = own.checked;
    if (own instanceof HTMLOptionElement) taken.chosen = own.selected;
    if ((own instanceof HTMLStyleElement || own instanceof HTMLLinkElement) && own.sheet && !own.disabled) taken.sheet = sheetOf(own.sheet);
    if (frames.has(own)) taken.frame = frames.get(own);
    if (own instanceof HTMLImageElement || own instanceof HTMLVideoElement) {
      const box = own.getBoundingClientRect();
      taken.picture = {
        width: Math.round(own.naturalWidth || box.width),
        height: Math.round(own.naturalHeight || box.height),
        address: own.currentSrc ?? '',
      };
    }
    if (own instanceof HTMLCanvasElement) taken.picture = { width: own.width, height: own.height, address: drawing(own) };
    if (own instanceof HTMLScriptElement) taken.script = own.src;
    nodes[at] = { element: taken };
    return at;
  };
  // What a script drew; empty where the browser gives it to nobody, as when it holds a picture of another site.
  const drawing = (canvas) => {
    if (!wantsDrawings) return '';
    try {
      return canvas.toDataURL();
    } catch {
      return '';
    }
  };
  const root = document.documentElement === null ? null : element(document.documentElement);
  return JSON.stringify({
    address: document.URL,
    title: document.title,
    quirks: document.compatMode !== 'CSS1Compat',
    adopted: adopted(document),
    root,
    nodes,
  });
}
