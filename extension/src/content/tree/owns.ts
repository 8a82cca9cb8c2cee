// What `aria-owns` moves: an owned element is read as the last child of its owner, and nowhere else (ARIA 1.2, aria-owns).

import { byIds, composedParent, isElement, liveRoots, pushChildren } from "./composed";

/** The moves of one moment; one instance lasts for one walk. */
export class Owns {
  #owned: Map<Element, Element> | undefined;
  #byOwner: Map<Element, Element[]> | undefined;

  /** Whether anything is moved at all. */
  get any(): boolean {
    return this.#look().size > 0;
  }

  /** Pushes the children as rendered and as owned, last first. True: they are the element's own and no others. */
  pushChildren(element: Element, push: (child: Node) => void): boolean {
    const owned = this.#look();
    if (owned.size === 0) return pushChildren(element, push);
    const own = this.#byOwner?.get(element) ?? [];
    for (let i = own.length - 1; i >= 0; i--) {
      const child = own[i];
      if (child !== undefined) push(child);
    }
    pushChildren(element, (child) => {
      if (!isElement(child) || !owned.has(child)) push(child);
    });
    return false;
  }

  #look(): Map<Element, Element> {
    if (this.#owned !== undefined) return this.#owned;
    const owned = new Map<Element, Element>();
    const byOwner = new Map<Element, Element[]>();
    for (const root of liveRoots()) {
      for (const owner of root.querySelectorAll("[aria-owns]")) {
        for (const element of byIds(owner, "aria-owns")) {
          // The first owner counts; nothing owns itself or what it stands in.
          if (owned.has(element) || isAround(element, owner, owned)) continue;
          owned.set(element, owner);
          const own = byOwner.get(owner);
          if (own === undefined) byOwner.set(owner, [element]);
          else own.push(element);
        }
      }
    }
    this.#byOwner = byOwner;
    return (this.#owned = owned);
  }
}

/** Whether an element is another one or around it, by rendering and by ownership. */
function isAround(element: Element, inner: Element, owned: Map<Element, Element>): boolean {
  for (let at: Element | undefined = inner; at !== undefined; at = owned.get(at) ?? composedParent(at)) if (at === element) return true;
  return false;
}
