/** Elements without markup: every text is a text node, so that nobody's name can become anything else. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {Node | string | number | false | null | undefined} One
 * @typedef {One | Child[]} Child
 * @typedef {string | number | boolean | null | undefined} Value
 * @typedef {{[name: string]: Value | Record<string, any>, on?: Record<string, (event: any) => void>,
 *   data?: Record<string, Value>, vars?: Record<string, string>}} Attributes
 */

/**
 * Makes an element of HTML.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  dress(element, attributes);
  element.append(...flat(children));
  return element;
}

/**
 * Makes an element of SVG.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function s(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElementTagNameMap[T]} */ (document.createElementNS(SVG, tag));
  dress(element, attributes);
  element.append(...flat(children));
  return element;
}

/**
 * Puts other children into an element.
 * @param {Element} parent
 * @param {...Child} children
 */
export function replaceChildren(parent, ...children) {
  parent.replaceChildren(...flat(children));
}

/**
 * Keeps a list of children in step with items: what stays keeps its node, focus and all.
 * @template Item
 * @param {Element} parent
 * @param {readonly Item[]} items
 * @param {(item: Item) => string} keyOf
 * @param {(item: Item) => HTMLElement | SVGElement} make
 * @param {(node: any, item: Item) => void} [update]  is called for new nodes, too
 */
export function keyed(parent, items, keyOf, make, update = () => {}) {
  const old = new Map(
    [...parent.children].map((node) => [/** @type {HTMLElement} */ (node).dataset.key, node]),
  );
  let place = parent.firstElementChild;
  for (const item of items) {
    const key = keyOf(item);
    const node = old.get(key) ?? make(item);
    old.delete(key);
    /** @type {HTMLElement} */ (node).dataset.key = key;
    update(node, item);
    if (node === place) place = place.nextElementSibling;
    else parent.insertBefore(node, place);
  }
  for (const node of old.values()) node.remove();
}

/**
 * @param {Element} element
 * @param {Attributes} attributes
 */
function dress(element, { on = {}, data = {}, vars = {}, ...attributes }) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, String(value));
  }
  for (const [event, listener] of Object.entries(on)) element.addEventListener(event, listener);
  const { dataset, style } = /** @type {HTMLElement} */ (element);
  for (const [name, value] of Object.entries(data))
    if (value != null) dataset[name] = String(value);
  for (const [name, value] of Object.entries(vars)) style.setProperty(name, value);
}

/**
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
function flat(children) {
  return children
    .flat(/** @type {1} */ (Infinity))
    .filter((child) => child !== false && child != null)
    .map((child) => (child instanceof Node ? child : String(child)));
}
