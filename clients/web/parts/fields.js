/** Parts of forms: each has its label, its hint, and a place for what is wrong with it. */

import { h, replaceChildren } from "./dom.js";

/**
 * @typedef {object} Field
 * @property {HTMLElement} element
 * @property {HTMLInputElement} input
 * @property {(fault: string) => void} show  what is wrong with it; "" when nothing is
 */

/**
 * Makes a field to type into.
 * @param {{id: string, label: string, hint?: string, after?: import("./dom.js").Child,
 *   input?: import("./dom.js").Attributes}} field  after: stands beside the input
 * @returns {Field}
 */
export function textField({ id, label, hint = "", after, input: attributes = {} }) {
  const described = [hint && `${id}-hint`, `${id}-fault`].filter(Boolean).join(" ");
  const input = h("input", { id, name: id, "aria-describedby": described, ...attributes });
  const fault = h("p", { id: `${id}-fault`, class: "field-error", role: "alert" });
  const element = h(
    "div",
    { class: "field" },
    h("label", { for: id }, label),
    after ? h("div", { class: "field-row" }, input, after) : input,
    hint && h("p", { id: `${id}-hint`, class: "field-hint" }, hint),
    fault,
  );
  const show = (/** @type {string} */ text) => {
    if (text) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    if (fault.textContent !== text) replaceChildren(fault, text);
  };
  return { element, input, show };
}

/**
 * @typedef {object} Choice
 * @property {HTMLFieldSetElement} element
 * @property {() => string} value
 * @property {(value: string, offered?: readonly string[]) => void} set  offered: all, where left out
 */

/**
 * Makes a group of which one is chosen.
 * @param {{name: string, legend: string, hidden?: boolean,
 *   options: readonly {value: string, text: string, more?: string}[], change: (value: string) => void}} group
 *   hidden: the legend is for screen readers only
 * @returns {Choice}
 */
export function choice({ name, legend, hidden = false, options, change }) {
  const radios = options.map(({ value }) =>
    h("input", { type: "radio", name, value, on: { change: () => change(value) } }),
  );
  const labels = options.map(({ text, more }, place) =>
    h(
      "label",
      {},
      radios[place],
      h("span", {}, more ? [h("b", {}, text), h("small", {}, more)] : text),
    ),
  );
  const told = options.some(({ more }) => more);
  return {
    element: h(
      "fieldset",
      { class: `choices${told ? " told" : ""}` },
      h("legend", { class: hidden ? "visually-hidden" : "" }, legend),
      labels,
    ),
    value: () => radios.find(({ checked }) => checked)?.value ?? "",
    set(value, offered) {
      for (const radio of radios) {
        radio.checked = radio.value === value;
        radio.disabled = offered !== undefined && !offered.includes(radio.value);
      }
    },
  };
}

/**
 * Makes a box to tick.
 * @param {{name: string, text: string, more?: string, change: (on: boolean) => void}} box
 * @returns {{element: HTMLLabelElement, input: HTMLInputElement}}
 */
export function checkBox({ name, text, more, change }) {
  const input = h("input", { type: "checkbox", name, on: { change: () => change(input.checked) } });
  const words = h("span", {}, text, more && h("small", { class: "muted" }, more));
  return { element: h("label", { class: "check" }, input, words), input };
}

/**
 * Makes a list to choose from.
 * @param {{id: string, label: string, options: readonly {value: string, text: string}[],
 *   value: string, change: (value: string) => void}} list
 * @returns {HTMLElement}
 */
export function selectField({ id, label, options, value, change }) {
  const select = h(
    "select",
    { id, on: { change: () => change(select.value) } },
    options.map((one) =>
      h("option", { value: one.value, selected: one.value === value }, one.text),
    ),
  );
  return h("div", { class: "field" }, h("label", { for: id }, label), select);
}
