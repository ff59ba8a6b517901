// Loaded with `node --import` before the service. At SIGUSR2, moves this process's clock by the number
// of milliseconds in the file COUNTERSIGN_TEST_CLOCK. Timers and `performance.now` stay unaffected, as
// when an operator sets the clock.
import { readFileSync } from "node:fs";

const RealDate = Date;
let offset = 0;

class MovedDate extends RealDate {
  /** @param {...unknown} given */
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + offset);
    // @ts-expect-error The constructor has several forms.
    else super(...given);
  }
  static now() {
    return RealDate.now() + offset;
  }
}
globalThis.Date = /** @type {DateConstructor} */ (new Proxy(MovedDate, { apply: () => new MovedDate().toString() }));

process.on("SIGUSR2", () => {
  offset = Number(readFileSync(process.env.COUNTERSIGN_TEST_CLOCK ?? "", "utf8"));
});
