/** English: the list of all there is to say. The other languages have the same keys. */
export const en = {
  // The page itself
  "app.name": "Canfield Race",
  "app.skip": "Skip to the content",
  "app.menu": "Pages",
  "app.home": "Home",
  "app.daily": "Daily",
  "app.boards": "Leaderboards",
  "app.settings": "Settings",
  "app.help": "How to play",
  "app.loading": "Loading…",
  "app.close": "Close",
  "app.cancel": "Cancel",
  "app.again": "Try again",
  "app.notFound": "There is nothing here",
  "app.notFoundText": "The link may be old, or a letter of it missing.",
  "app.toHome": "To the home page",
  "app.failed": "That did not work",
  "app.copied": "Copied",
  "app.signIn": "Choose a name",

  // Asking for a name
  "name.title": "What shall we call you?",
  "name.text": "A name is all it takes: no e-mail, no password. This browser remembers you.",
  "name.label": "Your name",
  "name.hint": "2 to 20 letters or digits; the others see it.",
  "name.go": "Let’s play",
  "name.token": "I have a key from another device",
  "name.tokenLabel": "Your key",
  "name.tokenHint": "From the settings of the device where you already play. It begins with cr_.",
  "name.tokenGo": "Use this key",
  "name.back": "I am new here",

  // What can go wrong
  "problem.offline": "The server cannot be reached. Is the network there?",
  "problem.unavailable": "The server is busy for a moment. Please try again.",
  "problem.too_many_requests": "That was a little too often. Please wait a moment.",
  "problem.name_taken": "That name, or one that looks like it, is taken.",
  "problem.unauthorized": "This key is not valid, or not any more.",
  "problem.room_full": "All seats of this race are taken.",
  "problem.kicked": "The host has closed this race to you.",
  "problem.daily_over": "That day is over. Join today’s!",
  "problem.not_found": "There is no such thing here.",
  "problem.server_fault": "A fault of ours. It is in the server’s log.",

  // Piles, cards and refusals

  // The home page

  // New race

  // A race

  // Replay, results, the day

  // Leaderboards and players

  // Settings

  // How to play
};
