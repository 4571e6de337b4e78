import * as races from "../../../../clients/web/state/race.js";
import { openLive } from "../../../../clients/web/wire/live.js";

/**
 * Follows a room as the page does: frames into the state, and out what the state wants to send.
 * `onChange` hears of every new state.
 */
export function follow(room, { token, world, onChange = () => {} }) {
  let race = races.fromRoom(room);
  let status = "connecting";
  let cancelAgain = () => {};
  const change = (next) => {
    if (next === race) return;
    race = next;
    send();
    onChange(race);
  };
  const send = () => {
    const out = races.sending(race, world.now());
    race = out.race;
    for (const frame of out.frames) live.send(frame);
    cancelAgain();
    if (out.againAtMs === null) return;
    cancelAgain = world.after(out.againAtMs - world.now(), () => change({ ...race }));
  };
  const live = openLive(room.id, {
    token,
    world,
    since: () => races.since(race),
    onFrame: (frame) => change(races.receive(race, frame, world.now())),
    onStatus(next) {
      status = next;
      if (next !== "open") race = races.disconnected(race);
      onChange(race);
    },
  });
  return {
    get race() {
      return race;
    },
    get status() {
      return status;
    },
    play: (move) => change(races.makeMove(race, move)),
    undo: () => change(races.undo(race)),
    reopen: live.reopen,
    close() {
      cancelAgain();
      live.close();
    },
  };
}
