import type { OptionReader } from "../base/options.js";
import { perRequest } from "../decision/per-request.js";
import { isStopped, type Step } from "../decision/step.js";
import { after } from "../model/awaitable.js";
import type { Devices, DeviceTry } from "../model/devices.js";

export interface DeviceOption {
  /**
   * Recognises the browsers in which an account has logged in; as created by `createDevices()`. For
   * routes that check a password: each request uses up a try of its device, unless its login succeeds.
   */
  readonly device?: Devices;
}

const EXPECTED = "devices, as created by createDevices()";

/** @throws {RiskGateError} CONFIG_INVALID for any other value. */
export function readDevices(options: OptionReader): Devices | undefined {
  return options.object<Devices>("device", ["tryOf", "remember"], EXPECTED);
}

const tryOf = perRequest<Step, { made?: DeviceTry }>(() => ({}));

/** The step that finds out whether a request comes from a known device. */
export function deviceStep(devices: Devices): Step {
  const giveBack = (request: object | undefined): void => {
    if (request) tryOf(request, step).made?.end(false);
  };
  const step: Step = {
    name: "device",
    waits: true,
    identify(context) {
      const { request, onlyEmail, crossSite } = context;
      // Without an email, nobody logs in.
      if (!request || typeof context.email !== "string") return undefined;
      for (const header of devices.surplus(request)) context.addHeader("Set-Cookie", header);
      return after(devices.tryOf(request, onlyEmail, crossSite), (made) => {
        tryOf(request, step).made = made;
        context.setDevice(made.standing);
      });
    },
    decided(decision, { request }) {
      if (isStopped(decision)) giveBack(request);
    },
    aborted: ({ request }) => giveBack(request),
  };
  return step;
}
