export { EXIT, type ExitCode } from "./terminal/exit-code.js";
export { runCli } from "./run-cli.js";
export {
  createTerminal,
  type Output,
  type ProcessLike,
  type Terminal,
  type Tone,
} from "./terminal/terminal.js";
