/** Positions as text and as hash: what client and server compare to know they agree. */
import { ALL_SUITS } from "./cards.js";

/** @typedef {import("./table.js").Table} Table */

const CRC_OF_BYTE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/**
 * What a player may see, in one line of ASCII; null while something visible is unknown.
 * @param {Table} table
 * @returns {string | null}
 */
export function writePosition({ stock, waste, reserve, columns, foundations }) {
  if ([waste, ...columns, reserve.slice(-1)].some((cards) => cards.includes(null))) return null;
  const written = columns.map((column) => column.join(".") || "-").join("/");
  const counts = ALL_SUITS.map((suit) => foundations[suit]).join(",");
  const top = reserve.at(-1) ?? "-";
  return `${stock.length}|${waste.join(",")}|${reserve.length}:${top}|${written}|${counts}`;
}

/**
 * The CRC-32 of the position as 8 lower-case hex digits; null while something is unknown.
 * @param {Table} table
 * @returns {string | null}
 */
export function hashOf(table) {
  const position = writePosition(table);
  if (position === null) return null;
  let crc = 0xffffffff;
  for (let i = 0; i < position.length; i += 1) {
    crc = CRC_OF_BYTE[(crc ^ position.charCodeAt(i)) & 0xff] ^ (crc >>> 8);
  }
  return (~crc >>> 0).toString(16).padStart(8, "0");
}
