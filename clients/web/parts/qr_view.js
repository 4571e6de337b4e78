/** A QR code as a picture: dark on white whatever the theme, for that is what cameras read. */

import { s } from "./dom.js";
import { qrMatrix } from "./qr.js";

const QUIET = 4;

/**
 * Draws the QR code of a text; its size is its box's.
 * @param {string} text
 * @param {{label: string}} options  what a screen reader says of it
 * @returns {SVGSVGElement}
 */
export function qrView(text, { label }) {
  const matrix = qrMatrix(text);
  const size = matrix.length + 2 * QUIET;
  return s(
    "svg",
    {
      class: "qr",
      viewBox: `0 0 ${size} ${size}`,
      role: "img",
      "aria-label": label,
      "shape-rendering": "crispEdges",
    },
    s("rect", { width: size, height: size, fill: "#fff" }),
    s("path", { d: qrPath(matrix), fill: "#000" }),
  );
}

/**
 * The dark modules as one path: a stroke of boxes for each run in a row.
 * @param {boolean[][]} matrix
 */
function qrPath(matrix) {
  return matrix
    .flatMap((row, y) =>
      [...row.map(Number).join("").matchAll(/1+/g)].map(
        ({ index, 0: run }) => `M${index + QUIET} ${y + QUIET}h${run.length}v1h-${run.length}z`,
      ),
    )
    .join("");
}
