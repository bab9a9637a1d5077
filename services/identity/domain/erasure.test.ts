import { plusMs } from "../../shared/kernel/clock";
import { asked, beginErasure, type Erasure } from "./erasure";

const start = new Date("2030-01-01T00:00:00.000Z");
const begun = beginErasure("demo", "person", start);
const secondsTo = ({ dueAt }: Erasure, at: Date): number => ((dueAt?.getTime() ?? 0) - at.getTime()) / 1_000;

describe("an erasure", () => {
  it("is told to the vendors at once, and ever more rarely while one does not acknowledge it, for ever", () => {
    expect(begun.dueAt).toEqual(start);
    let erasure = begun;
    let at = start;
    const waits: number[] = [];
    for (let turn = 0; turn < 8; turn += 1) {
      erasure = asked(erasure, false, at);
      waits.push(secondsTo(erasure, at));
      at = erasure.dueAt ?? at;
    }

    expect(waits).toEqual([1, 10, 60, 600, 3_600, 3_600, 3_600, 3_600]);
    expect(erasure).toMatchObject({ tries: 8, outstandingSince: start });
  });

  it("is told once more when what was under way has ended, and is over then", () => {
    const first = asked(begun, true, plusMs(start, 500));
    expect(first).toMatchObject({ dueAt: plusMs(start, 600_000), outstandingSince: undefined });

    const straggler = asked(first, false, plusMs(start, 600_000));
    expect(straggler).toMatchObject({ dueAt: plusMs(start, 601_000), outstandingSince: plusMs(start, 600_000) });

    expect(asked(straggler, true, plusMs(start, 601_000))).toMatchObject({
      dueAt: undefined,
      outstandingSince: undefined,
    });
  });
});
