/**
 * Known devices: their stores and the types of their options.
 *
 * @module
 */
export type {
  AccountInstruction,
  CookieRequest,
  CookieResponse,
  Devices,
  DeviceStanding,
  DeviceTry,
  LambdaResponse,
} from "./model/devices.js";
export {
  createMemoryDeviceStore,
  type DeviceStore,
  type DeviceUse,
  type MemoryDeviceStoreOptions,
} from "./device/device-store.js";
export { createDevices, type DeviceOptions } from "./device/devices.js";
