import { importsOf, layerOf, layers, sources } from "./layers-and-imports";

/*
 * The picture in ARCHITECTURE.md must always match the code, so `npm run derive` draws it from the
 * imports. Each folder is a box, and each layer is a band. The number at an arrow counts the
 * imports from a layer to a lower one.
 */

export const pictureFile = "docs/architecture.svg";

/**
 * Returns a file's box: a folder of `lib` or `components`, the files at lib's root, `app`, or
 * `server.ts`.
 */
const roomOf = (path: string): string => {
  const [, top, folder] = /^(lib|components)\/([\w-]+)\//.exec(path) ?? [];
  if (folder) return `${top}/${folder}`;
  return path.startsWith("lib/") ? "lib/*.ts" : path.startsWith("app/") ? "app" : "server.ts";
};

/** Returns a box's label. Components have their own band, so their boxes omit its name. */
const labelOf = (name: string) => name.replace(/^components\//, "");
const countText = (files: number) => (files === 1 ? "1 file" : `${files} files`);

type Room = { name: string; layer: number; files: number; uses: Set<string>; usedBy: Set<string> };

function readRooms() {
  const rooms = new Map<string, Room>();
  for (const file of sources) {
    const name = roomOf(file);
    const room = rooms.get(name) ?? { name, layer: layerOf(file), files: 0, uses: new Set(), usedBy: new Set() };
    room.files++;
    rooms.set(name, room);
  }
  const between = new Map<string, number>();
  for (const file of sources) {
    for (const { to } of importsOf(file)) {
      const [from, target] = [rooms.get(roomOf(file)), rooms.get(roomOf(to))];
      if (!from || !target || from === target || layerOf(to) < 0) continue;
      from.uses.add(target.name);
      target.usedBy.add(from.name);
      if (from.layer === target.layer) continue;
      const pair = `${from.layer} ${target.layer}`;
      between.set(pair, (between.get(pair) ?? 0) + 1);
    }
  }
  return { rooms, between };
}

/**
 * Returns the number of imports in the longest chain that begins at a folder and stays in its
 * layer. A folder counts only once in a chain, because folders may import each other.
 */
function floorOf(room: Room, rooms: ReadonlyMap<string, Room>, above: readonly string[] = []): number {
  const below = [...room.uses].flatMap((name) => {
    const other = rooms.get(name);
    return other && other.layer === room.layer && !above.includes(name) ? [other] : [];
  });
  return below.reduce((max, other) => Math.max(max, floorOf(other, rooms, [...above, room.name]) + 1), 0);
}

const [perRow, boxWidth, boxHeight, gap, margin] = [6, 148, 48, 8, 16];
const bandWidth = perRow * (boxWidth + gap) + gap;
const laneWidth = 30;

/** Returns the whole picture as SVG text, with separate colors for light and dark. */
export function architecturePicture(): string {
  const { rooms, between } = readRooms();
  const parts: string[] = [];
  const middle = new Map<number, number>();
  let y = margin;
  for (const layer of [...layers.keys()].reverse()) {
    const { title } = layers[layer]!;
    const inLayer = [...rooms.values()].filter((room) => room.layer === layer);
    // Puts a folder before the folders that it imports from. The lowest layer is in alphabetical
    // order, because its folders import each other in both directions.
    const floors = new Map(inLayer.map((room) => [room, layer === 0 ? 0 : floorOf(room, rooms)]));
    inLayer.sort((a, b) => floors.get(b)! - floors.get(a)! || (a.name < b.name ? -1 : 1));
    const rows = Math.ceil(inLayer.length / perRow);
    const height = 26 + rows * (boxHeight + gap);
    parts.push(`<rect class="band" x="${margin}" y="${y}" width="${bandWidth}" height="${height}" rx="8"/>`);
    parts.push(`<text class="title" x="${margin + gap}" y="${y + 17}">${title}</text>`);
    for (const [index, room] of inLayer.entries()) {
      const left = margin + gap + (index % perRow) * (boxWidth + gap);
      const top = y + 26 + Math.floor(index / perRow) * (boxHeight + gap);
      parts.push(
        `<rect class="room" x="${left}" y="${top}" width="${boxWidth}" height="${boxHeight}" rx="5"/>`,
        `<text class="name" x="${left + 8}" y="${top + 20}">${labelOf(room.name)}</text>`,
        `<text class="facts" x="${left + 8}" y="${top + 37}">${countText(room.files)} · ↓ ${room.uses.size} · ↑ ${room.usedBy.size}</text>`,
      );
    }
    middle.set(layer, y + height / 2);
    y += height + 14;
  }
  // Gives each arrow its own lane, with the shortest arrow nearest to the bands. The ends of arrows
  // at the same layer are apart, so that readers can distinguish them.
  const arrows = [...between]
    .map(([pair, count]) => ({ from: Number(pair.split(" ")[0]), to: Number(pair.split(" ")[1]), count }))
    .sort((a, b) => a.from - a.to - (b.from - b.to) || b.from - a.from);
  const right = margin + bandWidth;
  for (const [lane, { from, to, count }] of arrows.entries()) {
    const spread = (lane - arrows.length / 2) * 2.4;
    const [start, end] = [middle.get(from)! + spread, middle.get(to)! + spread];
    const x = right + 22 + lane * laneWidth;
    parts.push(
      `<path class="arrow" d="M${right} ${start}H${x}V${end}H${right + 3}" marker-end="url(#head)"/>`,
      `<text class="count" x="${x + 3}" y="${(start + end) / 2 + (lane % 3) * 13}">${count}</text>`,
    );
  }
  const width = right + 22 + arrows.length * laneWidth + margin;
  const height = y + 10;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">The rooms of Countersign in their layers. Every arrow points down.</title>
<style>
svg { --page: #fff; --band: #f4f4f5; --room: #fff; --line: #a1a1aa; --ink: #18181b; --soft: #52525b; font-family: system-ui, sans-serif }
@media (prefers-color-scheme: dark) { svg { --page: #101012; --band: #1c1c1f; --room: #2a2a2e; --line: #71717a; --ink: #fafafa; --soft: #b4b4bb } }
.page { fill: var(--page) } .band { fill: var(--band) } .room { fill: var(--room); stroke: var(--line) }
.title { fill: var(--soft); font-size: 13px; font-weight: 600 } .name { fill: var(--ink); font-size: 13px }
.facts { fill: var(--soft); font-size: 11px } .count { fill: var(--ink); font-size: 11px }
.arrow { fill: none; stroke: var(--line) } .head { fill: var(--line) }
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>
<rect class="page" width="${width}" height="${height}"/>
${parts.join("\n")}
<text class="facts" x="${margin}" y="${y + 2}">↓ rooms that it imports from · ↑ rooms that import from it · the number on an arrow counts imports</text>
</svg>
`;
}
