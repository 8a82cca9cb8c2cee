// Elements that are ours and no part of the page: nothing reads them, nothing counts their changes.

const own = new WeakSet<Node>();

export function claim(element: Node): void {
  own.add(element);
}

/** Ours; a page cannot make an element so. */
export function isOwn(node: Node): boolean {
  return own.has(node);
}
