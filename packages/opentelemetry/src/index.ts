export { instrumentRiskgate, type InstrumentationOptions } from "./instrument.js";
