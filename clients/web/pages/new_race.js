/** The page that opens a race. */

import { raceForm } from "../new_race/form.js";
import { BOUNDS, faultsOf, fieldAt, readCode, recall, wishOf } from "../new_race/wish.js";
import { askName } from "../parts/dialog.js";
import { h } from "../parts/dom.js";
import { go } from "../parts/navigation.js";
import { problemText } from "../parts/toast.js";
import { api, randomKey, serverTime } from "../state/api.js";
import { keep } from "../state/keeping.js";
import { t } from "../words/words.js";

/**
 * @typedef {import("../new_race/wish.js").Choices} Choices
 * @typedef {import("../new_race/wish.js").Typed} Typed
 */

/**
 * Opens the page; `?code=` of the path is a deal to race on.
 * @param {import("../parts/navigation.js").Params} _params
 * @param {import("../parts/navigation.js").Visit} visit
 * @returns {Promise<import("../parts/navigation.js").Page>}
 */
export async function open(_params, { query }) {
  const kept = keep("canfield.new_race");
  const opening = opener();
  const form = raceForm(firstChoices(kept.read(), query.get("code")), async (choices) => {
    const faults = faultTexts(choices);
    form.showFaults(faults);
    if (Object.keys(faults).length > 0 || !(await askName())) return;
    try {
      const room = await opening(wishOf(choices));
      kept.write(choices);
      go(`/rooms/${room.id}`);
    } catch (problem) {
      showProblem(form, problem);
    }
  });
  const title = t("new.title");
  const element = h(
    "div",
    { class: "page narrow" },
    h(
      "div",
      { class: "stack close" },
      h("h1", {}, title),
      h("p", { class: "muted" }, t("new.text")),
    ),
    form.element,
  );
  return { title, element };
}

/**
 * @param {unknown} kept
 * @param {string | null} code
 * @returns {Choices}
 */
function firstChoices(kept, code) {
  const choices = recall(kept);
  if (code !== null) return { ...choices, deal: "code", code: readCode(code)?.code ?? code };
  return choices.deal === "code" ? { ...choices, deal: "random" } : choices;
}

/**
 * Makes what opens rooms. A wish keeps its key until it has its room: when the answer gets lost,
 * asking again gives the same room. Another wish is another room.
 * @returns {(wish: import("../wire/types.js").RoomWish) => Promise<import("../wire/types.js").Room>}
 */
function opener() {
  let asked = "";
  let key = "";
  return (wish) => {
    const text = JSON.stringify(wish);
    if (text !== asked) [asked, key] = [text, randomKey()];
    return api.post("/rooms", wish, { idempotencyKey: key });
  };
}

/**
 * @param {Choices} choices
 * @returns {Partial<Record<Typed, string>>}
 */
function faultTexts(choices) {
  const texts = Object.entries(faultsOf(choices, serverTime())).map(([name, key]) => {
    const [least, most] = BOUNDS[/** @type {keyof typeof BOUNDS} */ (name)] ?? [0, 0];
    return [name, t(key, { least, most })];
  });
  return Object.fromEntries(texts);
}

/**
 * @param {ReturnType<typeof raceForm>} form
 * @param {unknown} problem
 */
function showProblem(form, problem) {
  const { code, pointer } = /** @type {{code?: string, pointer?: string}} */ (problem);
  if (!code) throw problem;
  const field = fieldAt(pointer);
  const text = code === "not_available" ? t("new.notAvailable") : problemText(problem);
  form.showFaults(field ? { [field]: text } : {}, field ? "" : text);
}
