// Opponents for people who do not want to think about parameters.

export interface Level {
  name: string;
  player: string;
  about: string;
}

export const LEVELS: Level[] = [
  { name: "Gentle", player: "best-three", about: "looks one move ahead and does not always play the best" },
  { name: "Fair", player: "pvs:depth=3", about: "looks three moves ahead" },
  { name: "Strong", player: "pvs:movetime=1000", about: "thinks a second about every move" },
];
