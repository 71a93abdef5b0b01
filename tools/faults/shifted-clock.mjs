// Loaded by `node --import`: sets the clock of a process off by SHIFT_CLOCK_MS milliseconds.
const shiftMs = Number(process.env["SHIFT_CLOCK_MS"]);
const Machine = Date;

globalThis.Date = new Proxy(Machine, {
  construct: (target, given) =>
    Reflect.construct(target, given.length === 0 ? [Machine.now() + shiftMs] : given),
  get: (target, name, receiver) =>
    name === "now" ? () => Machine.now() + shiftMs : Reflect.get(target, name, receiver),
});
