import { describe, expect, it } from "vitest";
import { readArguments } from "../../bench/lib/arguments.mjs";
import { percent, table } from "../../bench/lib/evaluation-table.mjs";
import { digits, spread } from "../../bench/lib/figures.mjs";
import { draw } from "../../bench/lib/picture.mjs";
import { runCase } from "../../bench/lib/rounds.mjs";
import { caseTable, targetTable } from "../../bench/lib/table.mjs";
import { timed } from "../../bench/lib/timing.mjs";

/** Creates a case with known figures: each variant returns its list after one warm-up. */
const known = (figures: Record<string, number[]>, targets: object[] = []) => {
  const order: string[] = [];
  let opened = 0;
  let closed = 0;
  const plan = {
    name: "known",
    figure: "us",
    baseline: "floor",
    targets: targets as never,
    open: async () => {
      opened++;
      return {
        variants: Object.entries(figures).map(([name, values]) => {
          let next = -1;
          const measure = () => {
            order.push(name);
            return { us: next < 0 ? ((next = 0), 1e9) : values[next++ % values.length]! };
          };
          return { name, measure };
        }),
        close: () => closed++,
      };
    },
  };
  return { plan, order, counts: () => ({ opened, closed }) };
};

describe("benchmarks", () => {
  it("computes median, minimum and maximum", () => {
    expect(spread([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3 });
    expect(spread([4, 1, 2, 3])).toEqual({ median: 2.5, min: 1, max: 4 });
  });

  it("prints three significant digits", () => {
    expect([0.0123, 1.234, 12.34, 1234.5, 0, Number.NaN].map(digits)).toEqual([
      "0.0123",
      "1.23",
      "12.3",
      "1235",
      "0",
      "-",
    ]);
  });

  it("starts each round with the next variant", async () => {
    const { plan, order, counts } = known({ floor: [1], own: [2], peer: [3] });
    await runCase(plan, 2, () => {});
    expect(order.slice(0, 3)).toEqual(["floor", "own", "peer"]);
    const rounds = order.slice(3);
    expect(rounds.slice(-6, -3).toSorted()).toEqual(["floor", "own", "peer"]);
    expect(rounds.slice(-3)).not.toEqual(rounds.slice(-6, -3));
    expect(counts()).toEqual({ opened: 1, closed: 1 });
  });

  it("skips the warm-up and takes ratios within a round", async () => {
    const { plan } = known({ floor: [1], own: [2] });
    const { variants } = await runCase(plan, 3, () => {});
    expect(variants[1]).toMatchObject({
      name: "own",
      figures: { us: { median: 2, min: 2, max: 2 } },
      ratio: { median: 2 },
    });
  });

  it("compares ratios, differences and values with their targets", async () => {
    const of = { variant: "own", against: "floor", figure: "us" };
    const { plan } = known({ floor: [10], own: [12], peer: [14] }, [
      { ...of, id: "a", as: "ratio", atMost: 1.2 },
      { ...of, id: "b", as: "added", atMost: 1 },
      { ...of, id: "c", as: "value", atLeast: 12 },
      { ...of, id: "d", against: "peer", base: "floor", as: "added ratio", atMost: 0.4 },
    ]);
    const { targets } = await runCase(plan, 1, () => {});
    expect(targets.map(({ id, measured, isMet }) => [id, measured, isMet])).toEqual([
      ["a", "1.20x", true],
      ["b", "2.00", false],
      ["c", "12.0", true],
      ["d", "0.500x", false],
    ]);
  });

  it("refuses a target with an unknown variant", async () => {
    const { plan } = known({ floor: [1] }, [
      { id: "x", variant: "nobody", figure: "us", as: "value", atMost: 1 },
    ]);
    await expect(runCase(plan, 1, () => {})).rejects.toThrow("target x names something");
  });

  it("closes everything if a variant fails", async () => {
    const { plan, counts } = known({ floor: [1] });
    const broken = {
      ...plan,
      open: async () => {
        const opened = await plan.open();
        const measure = () => {
          throw new Error("broken");
        };
        return { ...opened, variants: [{ name: "floor", measure }] };
      },
    };
    await expect(runCase(broken, 1, () => {})).rejects.toThrow("broken");
    expect(counts()).toEqual({ opened: 1, closed: 1 });
  });

  it("formats tables and draws pictures", async () => {
    const { plan } = known({ floor: [1], "riskgate <fast>": [2] }, [
      { id: "a", variant: "floor", figure: "us", as: "value", atMost: 1 },
    ]);
    const result = await runCase(plan, 1, () => {});
    expect(caseTable(result).split("\n")).toEqual([
      "|                 |   us |   min to max | to floor |",
      "| --------------- | ---: | -----------: | -------: |",
      "| floor           | 1.00 | 1.00 to 1.00 |    1.00x |",
      "| riskgate <fast> | 2.00 | 2.00 to 2.00 |    2.00x |",
    ]);
    expect(targetTable([result])).toContain("| a: floor, us (known) |  <= 1 |     1.00 | met |");
    const svg = draw("A & B", [result]);
    expect(svg).toContain("A &amp; B");
    expect(svg).toContain("riskgate &lt;fast&gt;");
    expect(svg.match(/<rect class="own"/g)).toHaveLength(1);
  });

  it("measures a call", async () => {
    let calls = 0;
    const { us } = await timed(() => calls++, { ms: 1 })();
    expect(us).toBeGreaterThan(0);
    expect(calls).toBeGreaterThan(1);
  });

  it("reads arguments and explains wrong ones", () => {
    expect(readArguments(["verify", "--rounds", "3"])).toMatchObject({
      names: ["verify"],
      rounds: 3,
    });
    expect(readArguments([]).names).toHaveLength(4);
    expect(readArguments(["nothing"]).problem).toBe('unknown comparison "nothing"');
    expect(readArguments(["--rounds", "0"]).problem).toMatch(/whole number/);
    expect(readArguments(["--fast"]).problem).toMatch(/Unknown option/);
  });
});

describe("table of the evaluation", () => {
  it("aligns figures to the right, with one digit after the point", () => {
    const rows = [["`fakefilter`", percent(0.23775), percent(1)]];
    expect(table(["List", "Recall", "Precision"], rows)).toBe(
      "| List | Recall | Precision |\n| --- | ---: | ---: |\n| `fakefilter` | 23.8 % | 100.0 % |",
    );
  });
});
