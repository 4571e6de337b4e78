/** Where a text that someone was sent leads: a link, the letters of a room, a deal's code. */

const LINK = /\/(rooms|games)\/([a-z0-9]{1,16})(?:[/?#]|$)/i;
const ROOM = /^[a-z0-9]{4,16}$/i;
const CODE = /^(?:CF1-D[13]|CH1-D3)-(?:[A-Z]{7}|[A-Z]{28})$/i;

/**
 * @typedef {{room: string} | {path: string}} Place  a room's id, which may not exist; or a path of ours
 */

/**
 * Gives where a text leads.
 * @param {string} text
 * @returns {Place | null}  null when it is none of those
 */
export function placeOf(text) {
  const trimmed = text.trim();
  if (CODE.test(trimmed)) return { path: `/new?code=${trimmed.toUpperCase()}` };
  const link = LINK.exec(trimmed);
  if (link?.[1].toLowerCase() === "games") return { path: `/games/${link[2].toLowerCase()}` };
  if (link) return { room: link[2].toLowerCase() };
  return ROOM.test(trimmed) ? { room: trimmed.toLowerCase() } : null;
}
